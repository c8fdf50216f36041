// SPDX-License-Identifier: BSD-3-Clause
/// xredist.h for C++17: values with destructors, checked element types, and errors as exceptions.
///
///   xredist::Plan<double> plan(comm, {.nprow = 2, .npcol = 2, .mb = 64, .nb = 64},
///                              {.nprow = 1, .npcol = 4, .mb = 32, .nb = 32}, {.m = m, .n = n});
///   plan.execute(a, b);                       // std::vector<double> a, b, or {pointer, leading dimension}
///   auto request = plan.start(a, b, 2.0);     // B := 2 A; the request waits for the end when it leaves the scope
///
/// (C++17 has no designated initialisers: assign the members.) Functions throw std::bad_alloc if this process is out of
/// memory, and xredist::Error otherwise.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "xredist/layout.hpp"
#include "xredist/view.hpp"

namespace xredist {

/// An exchange under way. The destructor waits for the end and ignores an error; wait() throws it.
class Request {
 public:
  explicit Request(xredist_request* request = nullptr) : request_(request) {}

  /// Makes progress. Returns whether the exchange has ended.
  bool test() {
    int done = 0;
    xredist_request* request = request_.release();
    const int code = xredist_test(&request, &done);
    request_.reset(request);
    check(code);
    return done != 0;
  }
  void wait() {
    xredist_request* request = request_.release();
    check(xredist_wait(&request));
  }
  /// Test for, and wait for, one job of a batch, counted from 0.
  bool test(int member) {
    int done = 0;
    check(xredist_test_member(get(), member, &done));
    return done != 0;
  }
  void wait(int member) { check(xredist_wait_member(get(), member)); }

  xredist_request* get() const noexcept { return request_.get(); }

 private:
  struct Wait {
    void operator()(xredist_request* request) const { xredist_wait(&request); }
  };
  std::unique_ptr<xredist_request, Wait> request_;
};

/// One execution of a plan, with views of the arrays and the values of alpha and beta.
class Job {
 public:
  /// Returns the job for the C interface. The pointers are valid as long as this object.
  xredist_job get() const {
    xredist_job job = job_;
    job.alpha = alpha_ ? alpha_->data() : nullptr;
    job.beta = beta_ ? beta_->data() : nullptr;
    if (!strides_a_.empty()) job.strides_a = strides_a_.data();
    if (!strides_b_.empty()) job.strides_b = strides_b_.data();
    return job;
  }
  /// Sets the distances of neighbours along each axis, in elements, of a job of a plan of arrays (array.hpp); empty:
  /// the local array has no gaps.
  Job& strides(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
    strides_a_ = std::move(a), strides_b_ = std::move(b);
    return *this;
  }
  /// Has the execution consume A: its elements are undefined afterwards, and its memory goes back to the system
  /// meanwhile. All processes pass the same value.
  Job& consume(bool consumes = true) {
    job_.consume = consumes ? 1 : 0;
    return *this;
  }

 private:
  template <class, class>
  friend class Plan;
  xredist_job job_;
  std::optional<detail::Scalar> alpha_ = std::nullopt, beta_ = std::nullopt;
  std::vector<std::int64_t> strides_a_ = {}, strides_b_ = {};
};

/// Starts a batch: all jobs in one exchange. Until the end, keep all arrays, do not read B, and do not change A.
[[nodiscard]] inline Request start(const std::vector<Job>& batch) {
  std::vector<xredist_job> jobs;
  for (const Job& job : batch) jobs.push_back(job.get());
  xredist_request* request = nullptr;
  check(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request));
  return Request(request);
}

namespace detail {

/// Returns the last row (column) of a submatrix: the greatest entry of its list, or the last neighbour of the first
/// one.
inline std::int64_t end_of(const std::int64_t* list, std::int64_t first, std::int64_t count) {
  if (list == nullptr) return std::max<std::int64_t>(first, 1) - 1 + count;
  return count > 0 ? *std::max_element(list, list + count) : 0;
}

}  // namespace detail

/// A plan for matrices A of elements A and B of elements B; Plan<double> for both, Plan<> if only the letters in the
/// operation tell the types. Elements that have no letter are copied as they are.
template <class A = void, class B = A>
class Plan {
  static_assert(std::is_void_v<A> == std::is_void_v<B>, "name the types of both matrices, or none");

 public:
  /// The type of alpha and beta. Plan<> converts complex numbers to the type of B.
  using Scalar = std::conditional_t<std::is_void_v<B>, std::complex<double>, B>;

  /// The first plan for a communicator is collective over comm (xredist_plan_create).
  Plan(MPI_Comm comm, const Layout& a, const Layout& b, const Operation& operation)
      : Plan(comm, checked(comm, [&] { return detail::Described("a", a); }),
             checked(comm, [&] { return detail::Described("b", b); }), operation, 0) {}
  /// Takes layouts in the form of the C interface.
  template <class L, class = std::enable_if_t<std::is_same_v<L, xredist_layout>>>
  Plan(MPI_Comm comm, const L& a, const L& b, const Operation& operation) : Plan(comm, a, b, operation, 0) {}
  /// Takes ownership of a plan of the C interface for an operation. `integer`: bytes of type 'I'.
  Plan(xredist_plan* plan, const Operation& operation, std::size_t integer = sizeof(std::int32_t)) : plan_(plan) {
    const Operation typed = with_types(operation, integer);
    const auto side = [&](char letter) {
      const char capital = static_cast<char>(letter & ~0x20);
      const std::size_t size = capital == 'I' ? integer : capital == 'S' ? 4 : capital == 'Z' ? 16 : 8;
      return detail::Side{{capital, letter == 0 ? static_cast<std::size_t>(typed.bytes) : size}};
    };
    a_ = side(typed.type);
    b_ = side(typed.type_b != 0 ? typed.type_b : typed.type);
  }

  /// Returns the operation with the letters of A and B, or with their size if they have none.
  static Operation with_types(Operation operation, std::size_t integer = sizeof(std::int32_t)) {
    if constexpr (!std::is_void_v<A>) {
      static_assert(std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<B>, "elements are copied as bytes");
      const auto letter_of = [&](detail::Element x) { return x.letter == 'I' && x.bytes != integer ? '\0' : x.letter; };
      const char a = letter_of(detail::Element::of<A>()), b = letter_of(detail::Element::of<B>());
      const auto set = [](const char* name, char& given, char letter) {
        if (given != 0 && (given & ~0x20) != letter)
          detail::invalid(std::string(name) + " is '" + given + "', the plan's elements have " +
                          (letter != 0 ? std::string("type ") + letter : std::string("no letter")));
        given = letter;
      };
      set("type", operation.type, a);
      set("type_b", operation.type_b, b);
      if (a != 0 && b != 0) return operation;
      if (!std::is_same_v<A, B>) detail::invalid("elements without a letter cannot be converted");
      if (operation.bytes != 0 && operation.bytes != static_cast<std::int64_t>(sizeof(A)))
        detail::invalid("bytes is " + std::to_string(operation.bytes) + ", the plan's elements have " +
                        std::to_string(sizeof(A)));
      operation.bytes = sizeof(A);
    }
    return operation;
  }

  Job job(View<const A> a, View<B> b) const {
    a_.demand("a", a.element, a.data, a.ld, a.size);
    b_.demand("b", b.element, b.data, b.ld, b.size);
    Job job;
    job.job_.plan = get();
    job.job_.a = a.data, job.job_.lda = a.ld;
    job.job_.b = b.data, job.job_.ldb = b.ld;
    return job;
  }
  /// B := beta B + alpha op(A). The plan has letters.
  Job job(View<const A> a, View<B> b, const Scalar& alpha, const Scalar& beta = Scalar{}) const {
    if (b_.element.letter == 0) detail::invalid("alpha: the plan has no type");
    Job job = this->job(a, b);
    job.alpha_ = detail::scalar_of(alpha, b_.element);
    job.beta_ = detail::scalar_of(beta, b_.element);
    return job;
  }

  /// Executes the plan, with alpha and beta or without.
  template <class... Scalars>
  void execute(detail::Argument<const A> a, detail::Argument<B> b, const Scalars&... alpha_beta) const {
    const Job made = job(a.view, b.view, alpha_beta...);
    const xredist_job job = made.get();
    check(xredist_execute(&job));
  }
  /// Executes the plan, and consumes A (Job::consume), so that a matrix moves in the memory of one matrix if B is new
  /// memory (Allocator).
  template <class... Scalars>
  void move(detail::Argument<const A> a, detail::Argument<B> b, const Scalars&... alpha_beta) const {
    Job made = job(a.view, b.view, alpha_beta...);
    const xredist_job job = made.consume().get();
    check(xredist_execute(&job));
  }
  /// Starts an execution. Until the end, keep both arrays, do not read B, and do not change A.
  template <class... Scalars>
  [[nodiscard]] Request start(View<const A> a, View<B> b, const Scalars&... alpha_beta) const {
    return xredist::start({job(a, b, alpha_beta...)});
  }

  /// Executes the plan in several ways, and keeps the fastest one (xredist_plan_tune). Collective over the communicator
  /// of the plan, of which all processes throw if one does. Leaves B as one execution does, with alpha or without.
  template <class... Alpha>
  void tune(detail::Argument<const A> a, detail::Argument<B> b, const Alpha&... alpha) {
    static_assert(sizeof...(Alpha) <= 1, "tune() takes no beta: each execution would add to B");
    const Job made = made_for_all([&] { return job(a.view, b.view, alpha...); });
    const xredist_job job = made.get();
    check(xredist_plan_tune(plan_.get(), &job));
  }

  xredist_plan_info query() const {
    xredist_plan_info info;
    check(xredist_plan_query(get(), &info));
    return info;
  }
  std::string describe() const {
    std::array<char, 4096> text{};
    check(xredist_plan_describe(get(), text.data(), text.size()));
    return text.data();
  }
  const xredist_plan* get() const noexcept { return plan_.get(); }

  /// Sets the numbers of elements that the local arrays must have. Containers are checked.
  void expect_elements(std::int64_t a, std::int64_t b) {
    a_.rows = a, b_.rows = b;
    a_.cols = b_.cols = 1;
  }

 private:
  Plan(MPI_Comm comm, const xredist_layout& a, const xredist_layout& b, const Operation& operation, int)
      : Plan(created(comm, a, b, checked(comm, [&] { return with_types(operation); })), operation) {
    const Operation& x = operation;
    const bool transposes = (x.trans & ~0x20) == 'T' || (x.trans & ~0x20) == 'C';
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const auto set = [rank](detail::Side& side, const xredist_layout& layout, std::int64_t m, std::int64_t n) {
      check(xredist_local_size(&layout, m, n, rank, &side.rows, &side.cols));
    };
    const xredist_plan_info info = query();
    const std::int64_t rows = transposes ? x.n : x.m, cols = transposes ? x.m : x.n;
    if (info.rows_a != 0) set(a_, a, detail::end_of(x.rows_a, x.ia, rows), detail::end_of(x.cols_a, x.ja, cols));
    if (info.rows_b != 0) set(b_, b, detail::end_of(x.rows_b, x.ib, x.m), detail::end_of(x.cols_b, x.jb, x.n));
  }

  // Returns what `argument` returns. If it throws, makes the call that others may wait for, which fails too.
  template <class Argument>
  static auto checked(MPI_Comm comm, Argument argument) {
    try {
      return argument();
    } catch (...) {
      xredist_plan* plan = nullptr;
      xredist_plan_create(comm, nullptr, nullptr, nullptr, &plan);
      throw;
    }
  }
  // Returns what `argument` returns. If it throws, makes the call for which others wait, which fails on all processes.
  template <class Argument>
  auto made_for_all(Argument argument) {
    try {
      return argument();
    } catch (...) {
      xredist_plan_tune(plan_.get(), nullptr);
      throw;
    }
  }
  static xredist_plan* created(MPI_Comm comm, const xredist_layout& a, const xredist_layout& b, const Operation& x) {
    xredist_plan* plan = nullptr;
    check(xredist_plan_create(comm, &a, &b, &x, &plan));
    return plan;
  }

  struct Destroy {
    void operator()(xredist_plan* plan) const { xredist_plan_destroy(plan); }
  };
  std::unique_ptr<xredist_plan, Destroy> plan_;
  detail::Side a_, b_;
};

/// Allocates the elements of a container by xredist_alloc: std::vector<double, xredist::Allocator<double>> b(n) has n
/// zeros, whose pages come into being when they are first written. Elements without an argument are not initialised, so
/// those of a container that grows are 0 only if their type has a constructor that says so.
template <class T>
struct Allocator {
  using value_type = T;

  Allocator() = default;
  template <class Other>
  Allocator(const Allocator<Other>&) noexcept {}
  T* allocate(std::size_t count) {
    void* const memory = count <= static_cast<std::size_t>(-1) / sizeof(T) ? xredist_alloc(count * sizeof(T)) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) noexcept { xredist_free(memory); }
  template <class U>
  void construct(U* element) {
    ::new (static_cast<void*>(element)) U;
  }
  template <class U, class... Arguments>
  void construct(U* element, Arguments&&... arguments) {
    ::new (static_cast<void*>(element)) U(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const Allocator&, const Allocator&) { return true; }
  friend bool operator!=(const Allocator&, const Allocator&) { return false; }
};

/// Sets an option for all plans that are made for comm later: "buffer", "64M".
inline void set_option(MPI_Comm comm, const std::string& name, const std::string& value) {
  check(xredist_set_option(comm, name.c_str(), value.c_str()));
}

}  // namespace xredist
