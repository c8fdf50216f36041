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
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "xredist/xredist.h"

namespace xredist {

/// what() is the sentence of xredist_error(), or of a check of this header.
class Error : public std::runtime_error {
 public:
  Error(xredist_code code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  xredist_code code() const noexcept { return code_; }

 private:
  xredist_code code_;
};

/// Throws the exception for a code that a function of xredist.h returned, unless it is XREDIST_SUCCESS.
inline void check(int code) {
  if (code == XREDIST_NO_MEMORY) throw std::bad_alloc();
  if (code != XREDIST_SUCCESS) throw Error(static_cast<xredist_code>(code), xredist_error());
}

/// Intervals of one dimension, as xredist_partition: bounds {0, 30, 42}; without owners, interval i belongs to i.
struct Partition {
  std::vector<std::int64_t> bounds = {};
  std::vector<int> owners = {};
};

/// The distribution of a matrix, as xredist_layout. Without ranks, the grid has the processes 0, 1, 2 ... row by row.
struct Layout {
  int nprow = 0, npcol = 0;
  std::int64_t mb = 0, nb = 0;
  int rsrc = 0, csrc = 0;
  std::vector<int> ranks = {};
  std::optional<Partition> rows = std::nullopt, cols = std::nullopt;
};

using Operation = xredist_operation;

namespace detail {

[[noreturn]] inline void invalid(const std::string& sentence) { throw Error(XREDIST_INVALID_ARGUMENT, sentence); }

inline xredist_partition described(const char* name, const std::optional<Partition>& partition) {
  if (!partition) return {};
  const auto& [bounds, owners] = *partition;
  if (bounds.empty()) invalid(std::string(name) + ": bounds is empty, must have at least one number");
  if (!owners.empty() && owners.size() != bounds.size() - 1)
    invalid(std::string(name) + ": there are " + std::to_string(owners.size()) + " owners, must be " +
            std::to_string(bounds.size() - 1));
  return {static_cast<std::int64_t>(bounds.size()) - 1, bounds.data(), owners.empty() ? nullptr : owners.data()};
}

/// A layout in the form of the C interface, with pointers into the Layout.
class Described {
 public:
  Described(const char* name, const Layout& x)
      : rows_(described((name + std::string(".rows")).c_str(), x.rows)),
        cols_(described((name + std::string(".cols")).c_str(), x.cols)) {
    const std::int64_t positions = std::int64_t{x.nprow} * x.npcol;
    if (!x.ranks.empty() && static_cast<std::int64_t>(x.ranks.size()) != positions)
      invalid(std::string(name) + ".ranks has " + std::to_string(x.ranks.size()) +
              " entries, must have nprow npcol = " + std::to_string(positions));
    layout_.nprow = x.nprow, layout_.npcol = x.npcol;
    layout_.mb = x.mb, layout_.nb = x.nb;
    layout_.rsrc = x.rsrc, layout_.csrc = x.csrc;
    layout_.ranks = x.ranks.empty() ? nullptr : x.ranks.data();
    layout_.rows = x.rows ? &rows_ : nullptr;
    layout_.cols = x.cols ? &cols_ : nullptr;
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
  operator const xredist_layout&() const { return layout_; }

 private:
  xredist_partition rows_, cols_;
  xredist_layout layout_;
};

/// The type of elements, of an array or of one side of a plan.
struct Element {
  char letter = 0;        // 'I' (any signed integer), 'S', 'D', 'C', 'Z'; 0: another type
  std::size_t bytes = 0;  // 0: unknown

  template <class T>
  static constexpr Element of() {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_void_v<U>)
      return {};
    else if constexpr (std::is_integral_v<U> && std::is_signed_v<U>)
      return {'I', sizeof(U)};
    else
      return {std::is_same_v<U, float>                  ? 'S'
              : std::is_same_v<U, double>               ? 'D'
              : std::is_same_v<U, std::complex<float>>  ? 'C'
              : std::is_same_v<U, std::complex<double>> ? 'Z'
                                                        : '\0',
              sizeof(U)};
  }
  std::string text() const {
    return (letter != 0 ? std::string("type ") + letter : std::string("no letter")) + " and " + std::to_string(bytes) +
           " bytes";
  }
};

/// The elements of A or B in a plan, and the part of the local array that executions may access.
struct Side {
  Element element;
  std::int64_t rows = 0, cols = 0;  // 0: unknown

  void demand(const char* name, const Element& of_array, const void* data, std::int64_t ld, std::int64_t size) const {
    if (of_array.bytes != 0 &&
        (of_array.bytes != element.bytes || (element.letter != 0 && of_array.letter != element.letter)))
      invalid(std::string(name) + " has elements of " + of_array.text() + ", the plan of " + element.text());
    if (rows == 0 || cols == 0 || data == nullptr || size < 0) return;
    const std::int64_t needed = (cols - 1) * std::max(ld, rows) + rows;
    if (size < needed)
      invalid(std::string(name) + " has " + std::to_string(size) + " elements, must have at least " +
              std::to_string(needed) + ", for " + std::to_string(rows) + " rows and " + std::to_string(cols) +
              " columns");
  }
};

/// alpha or beta in the type of B.
using Scalar = std::array<std::byte, 16>;

template <class T>
Scalar bytes_of(const T& value) {
  static_assert(sizeof(T) <= sizeof(Scalar));
  Scalar scalar{};
  std::memcpy(scalar.data(), &value, sizeof(T));
  return scalar;
}

template <class T>
Scalar scalar_of(const T& value, const Element& type) {
  if constexpr (!std::is_same_v<T, std::complex<double>>) {
    return bytes_of(value);  // a plan that knows T has the type of T
  } else {
    if (type.letter == 'Z') return bytes_of(value);
    if (type.letter == 'C') return bytes_of(std::complex<float>(value));
    if (value.imag() != 0) invalid(std::string("alpha or beta is complex, B has type ") + type.letter);
    if (type.letter == 'D') return bytes_of(value.real());
    if (type.letter == 'S') return bytes_of(static_cast<float>(value.real()));
    const double limit = std::ldexp(1.0, 8 * static_cast<int>(type.bytes) - 1);
    if (std::floor(value.real()) != value.real() || value.real() < -limit || value.real() >= limit)
      invalid("alpha or beta is " + std::to_string(value.real()) + ", must be an integer of B's type");
    const auto integer = static_cast<std::int64_t>(value.real());
    return type.bytes == 4 ? bytes_of(static_cast<std::int32_t>(integer)) : bytes_of(integer);
  }
}

/// Whether an argument is a temporary container that owns its elements; a temporary span owns none.
template <class Container>
struct OwnsElements : std::negation<std::is_trivially_destructible<Container>> {};
template <class T, std::size_t size>
struct OwnsElements<std::array<T, size>> : std::true_type {};
template <class Argument>
inline constexpr bool is_temporary_container =
    !std::is_reference_v<Argument> && OwnsElements<std::remove_const_t<Argument>>::value;

}  // namespace detail

/// A local array with column-major elements, from a pointer or a container, with its leading dimension. The leading
/// dimension 0 stands for the plan's own. The size of a container is checked. View<void> takes elements of any type. A
/// temporary container does not compile: its elements would be gone while the exchange is under way.
template <class T>
struct View {
  View(std::nullptr_t = nullptr) {}
  template <class U,
            class = std::enable_if_t<std::is_convertible_v<U*, T*> &&
                                     (std::is_void_v<T> || std::is_same_v<std::remove_cv_t<U>, std::remove_cv_t<T>>)>>
  View(U* pointer, std::int64_t leading = 0, std::int64_t elements = -1)
      : data(pointer), ld(leading), size(elements), element(detail::Element::of<U>()) {}
  template <
      class Container, class Pointer = decltype(std::declval<Container&>().data()),
      class = std::enable_if_t<std::is_constructible_v<View, Pointer> && !detail::is_temporary_container<Container>>>
  View(Container&& container, std::int64_t leading = 0)
      : View(container.data(), leading, static_cast<std::int64_t>(container.size())) {}
  template <class Container, std::enable_if_t<detail::is_temporary_container<Container>, int> = 0>
  View(Container&& container, std::int64_t leading = 0) = delete;

  T* data = nullptr;
  std::int64_t ld = 0, size = -1;  // -1: unknown
  detail::Element element = {};
};

namespace detail {

/// An argument of a call that returns when the exchange has ended: a temporary container lives as long.
template <class T>
struct Argument {
  template <class Array, class... Rest, class = std::enable_if_t<std::is_constructible_v<View<T>, Array&, Rest...>>>
  Argument(Array&& array, Rest... rest) : view(array, rest...) {}
  View<T> view;
};

}  // namespace detail

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
    return job;
  }

 private:
  template <class, class>
  friend class Plan;
  xredist_job job_;
  std::optional<detail::Scalar> alpha_ = std::nullopt, beta_ = std::nullopt;
};

/// Starts a batch: all jobs in one exchange. Until the end, keep all arrays, do not read B, and do not change A.
[[nodiscard]] inline Request start(const std::vector<Job>& batch) {
  std::vector<xredist_job> jobs;
  for (const Job& job : batch) jobs.push_back(job.get());
  xredist_request* request = nullptr;
  check(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request));
  return Request(request);
}

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
      : Plan(comm, detail::Described("a", a), detail::Described("b", b), operation, 0) {}
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
  /// Starts an execution. Until the end, keep both arrays, do not read B, and do not change A.
  template <class... Scalars>
  [[nodiscard]] Request start(View<const A> a, View<B> b, const Scalars&... alpha_beta) const {
    return xredist::start({job(a, b, alpha_beta...)});
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

 private:
  Plan(MPI_Comm comm, const xredist_layout& a, const xredist_layout& b, const Operation& operation, int)
      : Plan(created(comm, a, b, with_types(operation)), operation) {
    const Operation& x = operation;
    const bool transposes = (x.trans & ~0x20) == 'T' || (x.trans & ~0x20) == 'C';
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const auto set = [rank](detail::Side& side, const xredist_layout& layout, std::int64_t i, std::int64_t j,
                            std::int64_t m, std::int64_t n) {
      check(xredist_local_size(&layout, std::max<std::int64_t>(i, 1) - 1 + m, std::max<std::int64_t>(j, 1) - 1 + n,
                               rank, &side.rows, &side.cols));
    };
    const xredist_plan_info info = query();
    if (info.rows_a != 0) set(a_, a, x.ia, x.ja, transposes ? x.n : x.m, transposes ? x.m : x.n);
    if (info.rows_b != 0) set(b_, b, x.ib, x.jb, x.m, x.n);
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

struct LocalSize {
  std::int64_t rows, cols;
  std::size_t elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
};

/// Returns the size of the local array of process `rank` for an m x n matrix; 0 x 0 outside the grid.
inline LocalSize local_size(const Layout& layout, std::int64_t m, std::int64_t n, int rank) {
  LocalSize size{};
  const detail::Described described("layout", layout);
  const xredist_layout& of_c = described;
  check(xredist_local_size(&of_c, m, n, rank, &size.rows, &size.cols));
  return size;
}

/// Sets an option for all plans that are made for comm later: "buffer", "64M".
inline void set_option(MPI_Comm comm, const std::string& name, const std::string& value) {
  check(xredist_set_option(comm, name.c_str(), value.c_str()));
}

}  // namespace xredist
