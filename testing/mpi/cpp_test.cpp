// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface, compiled as C++17, with mistakes of its users.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <type_traits>

#include "ranks.hpp"
#include "xredist/relabel.hpp"
#include "xredist/xredist.hpp"

namespace xredist::testing {
namespace {

constexpr std::int64_t n = 12;

Layout grid(int nprow, int npcol, std::int64_t block) {
  Layout layout;
  layout.nprow = nprow, layout.npcol = npcol;
  layout.mb = layout.nb = block;
  return layout;
}

Operation square(char type = 0) {
  Operation operation;
  operation.m = operation.n = n;
  operation.type = type;
  return operation;
}

Layout slabs() {  // rows in intervals of which the last process has the remainder
  Layout layout = grid(size(), 1, n);
  Partition rows{{0}, {}};
  for (int i = 1; i < size(); ++i) rows.bounds.push_back(i);
  rows.bounds.push_back(n);
  layout.rows = rows;
  return layout;
}

Layout columns() { return grid(1, size(), 2); }

// The local part of the n x n matrix with the elements factor (100 i + j), or of its transpose.
template <class T>
std::vector<T> local(const Layout& layout, double factor = 1, bool transposed = false) {
  std::vector<T> part;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      const auto row = layout.rows ? std::min<std::int64_t>(i, size() - 1) : (i / layout.mb) % layout.nprow;
      const auto col = (j / layout.nb) % layout.npcol;
      const double value = transposed ? 100.0 * static_cast<double>(j) + static_cast<double>(i)
                                      : 100.0 * static_cast<double>(i) + static_cast<double>(j);
      if (row * layout.npcol + col == rank()) part.push_back(static_cast<T>(static_cast<float>(factor * value)));
    }
  return part;
}

// Calls `body`, which must throw an Error, and returns the sentence.
template <class Body>
std::string sentence(Body body, xredist_code code = XREDIST_INVALID_ARGUMENT) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "no error";
}

TEST(Cpp, MovesElementsOfEachType) {
  const auto moves = [](auto zero) {
    using T = decltype(zero);
    const Plan<T> plan(MPI_COMM_WORLD, slabs(), columns(), square());
    const auto a = local<T>(slabs());
    std::vector<T> b(local<T>(columns()).size());
    plan.execute(a, b);
    EXPECT_EQ(b, local<T>(columns()));
  };
  moves(0);
  moves(std::int64_t{0});  // has no letter: copied as bytes
  moves(std::uint32_t{0});
  moves(0.0F);
  moves(0.0);
  moves(std::complex<float>());
  moves(std::complex<double>());
}

TEST(Cpp, ConvertsTransposesScalesAndAdds) {
  Operation transpose = square();
  transpose.trans = 'T';
  const Plan<float, double> plan(MPI_COMM_WORLD, slabs(), columns(), transpose);
  auto b = local<double>(columns(), 3, true);
  plan.execute(local<float>(slabs()), b, 2, 10);
  EXPECT_EQ(b, local<double>(columns(), 32, true));
  plan.execute(local<float>(slabs()), b, 0.5);
  EXPECT_EQ(b, local<double>(columns(), 0.5, true));
}

TEST(Cpp, TakesTypesFromTheOperation) {
  for (const char type : {'S', 's'}) {
    const Plan plan(MPI_COMM_WORLD, slabs(), columns(), square(type));
    static_assert(std::is_same_v<decltype(plan), const Plan<void, void>>);
    auto b = local<float>(columns());
    plan.execute(local<float>(slabs()), b, 2.0, 1.0);
    EXPECT_EQ(b, local<float>(columns(), 3));
    const void* untyped = b.data();
    EXPECT_NO_THROW(plan.execute(local<float>(slabs()), const_cast<void*>(untyped)));
    EXPECT_EQ(b, local<float>(columns()));
  }
  const Plan integers(MPI_COMM_WORLD, slabs(), columns(), square('I'));
  auto b = local<int>(columns());
  integers.execute(local<int>(slabs()), b, -2);
  EXPECT_EQ(b, local<int>(columns(), -2));
  Operation bytes = square();
  bytes.bytes = 8;
  const Plan any(MPI_COMM_WORLD, slabs(), columns(), bytes);
  auto c = local<double>(columns(), 0);
  any.execute(local<double>(slabs()), c);
  EXPECT_EQ(c, local<double>(columns()));
}

TEST(Cpp, ViewsHaveLeadingDimensions) {
  const Plan<double> plan(MPI_COMM_WORLD, slabs(), columns(), square());
  const auto [rows, cols] = local_size(slabs(), n, n, rank());
  const std::int64_t ld = rows + 3;
  const auto dense = local<double>(slabs());
  std::vector<double> a(static_cast<std::size_t>(ld * cols), -1), b(local<double>(columns()).size());
  for (std::int64_t j = 0; j < cols; ++j) std::copy_n(dense.begin() + j * rows, rows, a.begin() + j * ld);
  plan.execute({a.data(), ld}, {b.data(), n});
  EXPECT_EQ(b, local<double>(columns()));
  std::fill(b.begin(), b.end(), 0);
  plan.execute({a, ld}, b);
  EXPECT_EQ(b, local<double>(columns()));
}

TEST(Cpp, BatchesAndMembers) {
  const Plan<double> there(MPI_COMM_WORLD, slabs(), columns(), square()),
      back(MPI_COMM_WORLD, columns(), slabs(), square());
  const Plan<float> other(MPI_COMM_WORLD, slabs(), columns(), square());
  const auto a = local<double>(slabs()), d = local<double>(columns());
  const auto c = local<float>(slabs());
  std::vector<double> b(d.size()), e(a.size());
  std::vector<float> f(d.size());
  Request request = start({there.job(a, b, 4), back.job(d, e), other.job(c, f)});
  request.wait(0);
  EXPECT_EQ(b, local<double>(columns(), 4));
  while (!request.test(1)) continue;
  EXPECT_EQ(e, a);
  EXPECT_NE(sentence([&] { request.wait(3); }).find("member is 3"), std::string::npos);
  request.wait();
  EXPECT_EQ(f, local<float>(columns()));
  EXPECT_TRUE(request.test());
  EXPECT_EQ(request.get(), nullptr);
}

TEST(Cpp, RequestsMoveAndWait) {
  static_assert(!std::is_copy_constructible_v<Request> && std::is_nothrow_move_constructible_v<Request>);
  static_assert(!std::is_copy_constructible_v<Plan<double>> && std::is_nothrow_move_constructible_v<Plan<double>>);
  const auto a = local<double>(slabs());
  std::vector<double> b(local<double>(columns()).size()), c(b.size());
  {
    Plan<double> plan(MPI_COMM_WORLD, slabs(), columns(), square());
    const Plan<double> moved = std::move(plan);
    Request request = moved.start(a, b);
    request = moved.start(a, c, -1);  // waits for the first
    EXPECT_EQ(b, local<double>(columns()));
  }
  EXPECT_EQ(c, local<double>(columns(), -1));
}

TEST(Cpp, DescribesItself) {
  const Plan<double> plan(MPI_COMM_WORLD, slabs(), columns(), square());
  EXPECT_NE(plan.describe(), "");
  const xredist_plan_info info = plan.query();
  const auto [rows, cols] = local_size(slabs(), n, n, rank());
  EXPECT_EQ(info.rows_a, rows);
  EXPECT_EQ(info.rows_b, local_size(columns(), n, n, rank()).rows);
  EXPECT_EQ(info.bytes_sent + info.bytes_kept, 8 * rows * cols);
  EXPECT_EQ(local_size(slabs(), n, n, size()).rows, 0);
  EXPECT_NO_THROW(set_option(MPI_COMM_WORLD, "buffer", "64M"));
  EXPECT_NE(sentence([] { set_option(MPI_COMM_WORLD, "buffer", "64Q"); }).find("64Q"), std::string::npos);
}

TEST(Cpp, Relabels) {
  Layout from = grid(size(), 1, n), to = grid(size(), 1, n);
  from.mb = to.mb = 1;
  for (int i = 0; i < size(); ++i) from.ranks.push_back(size() - 1 - i);
  const Relabelled best = relabelled(MPI_COMM_WORLD, from, to, square());
  EXPECT_EQ(best.kept, 1);
  EXPECT_EQ(best.ranks, from.ranks);
  EXPECT_LE(best.kept_before, 1);
}

// ---- mistakes

template <class P, class X, class Y>
using Executes = decltype(std::declval<const P&>().execute(std::declval<X>(), std::declval<Y>()));
template <class P, class X, class Y, class = void>
constexpr bool executes = false;
template <class P, class X, class Y>
constexpr bool executes<P, X, Y, std::void_t<Executes<P, X, Y>>> = true;

TEST(CppMistakes, DoNotCompile) {
  static_assert(executes<Plan<double>, const double*, double*>);
  static_assert(!executes<Plan<double>, const float*, double*>);
  static_assert(!executes<Plan<double>, const double*, std::vector<float>&>);
  static_assert(!executes<Plan<double>, const double*, const double*>);
  static_assert(!executes<Plan<double>, const double*, const std::vector<double>&>);
  static_assert(!executes<Plan<>, const double*, const double*>);
  static_assert(executes<Plan<float, double>, const std::vector<float>&, std::vector<double>&>);
}

TEST(CppMistakes, OfTypes) {
  EXPECT_EQ(sentence([] { Plan<double>(MPI_COMM_WORLD, slabs(), columns(), square('S')); }),
            "type is 'S', the plan's elements have type D");
  struct Pair {
    int first, second;
  };
  EXPECT_EQ(sentence([] { Plan<Pair>(MPI_COMM_WORLD, slabs(), columns(), square('D')); }),
            "type is 'D', the plan's elements have no letter");
  EXPECT_EQ(sentence([] { Plan<Pair, double>(MPI_COMM_WORLD, slabs(), columns(), square()); }),
            "elements without a letter cannot be converted");
  Operation bytes = square();
  bytes.bytes = 4;
  EXPECT_EQ(sentence([&] { Plan<Pair>(MPI_COMM_WORLD, slabs(), columns(), bytes); }),
            "bytes is 4, the plan's elements have 8");

  const Plan plan(MPI_COMM_WORLD, slabs(), columns(), square('D'));
  std::vector<float> wrong(n * n);
  std::vector<double> b(local<double>(columns()).size());
  EXPECT_EQ(sentence([&] { plan.execute(wrong, b); }),
            "a has elements of type S and 4 bytes, the plan of type D and 8 bytes");
  EXPECT_EQ(sentence([&] { plan.execute(local<double>(slabs()), wrong); }),
            "b has elements of type S and 4 bytes, the plan of type D and 8 bytes");
  EXPECT_EQ(sentence([&] { plan.execute(local<double>(slabs()), b, std::complex<double>(0, 1)); }),
            "alpha or beta is complex, B has type D");
  const Plan integers(MPI_COMM_WORLD, slabs(), columns(), square('I'));
  std::vector<int> c(b.size());
  EXPECT_EQ(sentence([&] { integers.execute(local<int>(slabs()), c, 0.5); }),
            "alpha or beta is 0.500000, must be an integer of B's type");
  EXPECT_EQ(sentence([&] { integers.execute(local<int>(slabs()), c, 3e9); }),
            "alpha or beta is 3000000000.000000, must be an integer of B's type");
  const Plan<Pair> pairs(MPI_COMM_WORLD, slabs(), columns(), square());
  std::vector<Pair> d(n * n);
  EXPECT_EQ(sentence([&] { pairs.execute(d, d, Pair{}); }), "alpha: the plan has no type");
}

TEST(CppMistakes, OfArrays) {
  const Plan<double> plan(MPI_COMM_WORLD, slabs(), columns(), square());
  auto a = local<double>(slabs()), b = local<double>(columns());
  a.pop_back();
  EXPECT_EQ(sentence([&] { plan.execute(a, b); }).find("a has " + std::to_string(a.size()) + " elements, must have"),
            0);
  a = local<double>(slabs());
  if (!a.empty()) {
    EXPECT_NE(sentence([&] { plan.execute(nullptr, b); }).find("a is NULL"), std::string::npos);
  }
  if (!b.empty()) {
    EXPECT_NE(sentence([&] {
                plan.execute(a, {b.data(), n - 1});
              }).find("ldb is 11, must be at least 12"),
              std::string::npos);
    EXPECT_NE(sentence([&] { plan.execute(a, {b, n + 1}); }).find("b has "), std::string::npos);
  }
  EXPECT_EQ(sentence([] { static_cast<void>(start({})); }), "count is 0, must be at least 1");
  plan.execute(a, b);  // a mistake starts nothing
}

// Whether plan.start(A(), b) compiles.
template <class A, class = void>
struct Starts : std::false_type {};
template <class A>
struct Starts<A, std::void_t<decltype(std::declval<const Plan<double>&>().start(
                     std::declval<A>(), std::declval<std::vector<double>&>()))>> : std::true_type {};

// A view owns no elements.
struct Span {
  const double* data() const;
  std::size_t size() const;
};

static_assert(Starts<std::vector<double>&>::value && Starts<const std::vector<double>&>::value);
static_assert(Starts<const double*>::value && Starts<Span>::value && Starts<std::nullptr_t>::value);
static_assert(Starts<View<const double>>::value && Starts<std::array<double, n>&>::value);
static_assert(!Starts<std::vector<double>>::value, "a temporary");
static_assert(!Starts<const std::vector<double>>::value, "a temporary");
static_assert(!Starts<std::array<double, n>>::value, "a temporary");
static_assert(!std::is_constructible_v<View<const void>, std::vector<double>>, "a temporary in a job");
static_assert(!std::is_constructible_v<View<double>, std::vector<double>, std::int64_t>, "a temporary with ld");

TEST(CppMistakes, OfLayouts) {
  const auto made = [](const Layout& a) {
    return sentence([&] { Plan<double>(MPI_COMM_WORLD, a, columns(), square()); });
  };
  EXPECT_EQ(made({}), "a.nprow is 0, must be at least 1");
  EXPECT_EQ(made(grid(1, 1, 0)), "a.mb is 0, must be at least 1");
  Layout wrong = grid(1, 1, n);
  wrong.ranks = {0, 1};
  EXPECT_EQ(made(wrong), "a.ranks has 2 entries, must have nprow npcol = 1");
  wrong.ranks = {size()};
  EXPECT_NE(made(wrong).find("a.ranks[0] is"), std::string::npos);
  wrong.ranks = {};
  wrong.rows = Partition{};
  EXPECT_EQ(made(wrong), "a.rows: bounds is empty, must have at least one number");
  wrong.rows = Partition{{0, 5, n}, {0}};
  EXPECT_EQ(made(wrong), "a.rows: there are 1 owners, must be 2");
  wrong.rows = Partition{{0, 5, 4}, {0, 0}};
  EXPECT_NE(made(wrong).find("bounds[2] is 4"), std::string::npos);
  Operation letter = square();
  letter.trans = 'X';
  EXPECT_NE(sentence([&] { Plan<double>(MPI_COMM_WORLD, columns(), columns(), letter); }).find("trans is 'X'"),
            std::string::npos);
  EXPECT_NE(sentence([&] { Plan<double>(MPI_COMM_NULL, columns(), columns(), square()); }).find("comm"),
            std::string::npos);
}

}  // namespace
}  // namespace xredist::testing
