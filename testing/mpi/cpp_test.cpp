// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface, compiled as C++17, with mistakes of its users. cpp_examples has more of what is right.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <limits>
#include <numeric>
#include <type_traits>

#include "ranks.hpp"
#include "xredist/array.hpp"
#include "xredist/file.hpp"
#include "xredist/fit.hpp"
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

// Returns the local part of the n x n matrix with the elements factor (100 i + j).
template <class T>
std::vector<T> local(const Layout& layout, double factor = 1) {
  std::vector<T> part;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      const auto row = layout.rows ? std::min<std::int64_t>(i, size() - 1) : (i / layout.mb) % layout.nprow;
      const auto col = (j / layout.nb) % layout.npcol;
      if (row * layout.npcol + col == rank())
        part.push_back(static_cast<T>(static_cast<float>(factor * static_cast<double>(100 * i + j))));
    }
  return part;
}

// Calls `body`, which must throw an Error with a sentence that begins with `expected`.
template <class Body>
void expect_error(const std::string& expected, Body body) {
  try {
    body();
    ADD_FAILURE() << "no error: " << expected;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), XREDIST_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(error.what()).substr(0, expected.size()), expected);
  }
}

TEST(Cpp, WritesAndReadsFiles) {
  const std::string name = "cpp_file." + std::to_string(size()) + "." + std::string(236, 'f') + ".npy";
  xredist_file file{};
  file.m = file.n = n;
  xredist::write<double>(MPI_COMM_WORLD, slabs(), local<double>(slabs()), name, file);
  std::vector<std::complex<double>> b(local<double>(columns()).size());
  xredist::read<std::complex<double>>(MPI_COMM_WORLD, columns(), b, name, file);
  EXPECT_EQ(b, local<std::complex<double>>(columns()));
  EXPECT_EQ(file_info(MPI_COMM_WORLD, name).type, 'D');
  b.pop_back();
  expect_error("b has ", [&] { xredist::read<std::complex<double>>(MPI_COMM_WORLD, columns(), b, name, file); });
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) std::remove(name.c_str());
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

// An array that is too small on one process is an error of all: its own sentence there, and that of the call on others.
TEST(Cpp, TunesPlans) {
  Plan<double> plan(MPI_COMM_WORLD, slabs(), columns(), square());
  const auto a = local<double>(slabs());
  auto b = local<double>(columns());
  std::vector<double> wrong = b;
  if (rank() == 0) wrong.pop_back();
  expect_error(rank() == 0 ? "b has " : "process 0: job is NULL", [&] { plan.tune(a, wrong); });
  plan.tune(a, b);
  EXPECT_EQ(b, local<double>(columns()));
  plan.tune(local<double>(slabs()), b, -2.0);
  EXPECT_EQ(b, local<double>(columns(), -2));
  EXPECT_EQ(plan.describe().find("; measured: ") != std::string::npos, size() > 1);
  plan.execute(a, b, 1.0, 1.0);
  EXPECT_EQ(b, local<double>(columns(), -1));
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
  expect_error("member is 3", [&] { request.wait(3); });
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
  expect_error("buffer=64Q: ", [] { set_option(MPI_COMM_WORLD, "buffer", "64Q"); });
}

TEST(Cpp, FindsElements) {
  for (const Layout& layout : {slabs(), columns()}) {
    const GlobalIndices here = local_to_global(layout, n, n, rank());
    const LocalSize size_here = local_size(layout, n, n, rank());
    ASSERT_EQ(here.rows.size(), static_cast<std::size_t>(size_here.rows));
    ASSERT_EQ(here.cols.size(), static_cast<std::size_t>(size_here.cols));
    std::vector<double> filled;
    for (const std::int64_t j : here.cols)
      for (const std::int64_t i : here.rows) {
        filled.push_back(static_cast<double>(100 * (i - 1) + j - 1));
        const Place place = global_to_local(layout, i, j);
        EXPECT_TRUE(place.rank == rank() && here.rows[static_cast<std::size_t>(place.row) - 1] == i &&
                    here.cols[static_cast<std::size_t>(place.col) - 1] == j);
      }
    EXPECT_EQ(filled, local<double>(layout));
  }
  const std::vector<Place> ends = global_to_local(slabs(), {1, n}, {1, n});
  EXPECT_TRUE(ends[0].rank == 0 && ends[0].row == 1 && ends[1].rank == size() - 1 && ends[1].col == n);
  EXPECT_TRUE(local_to_global(slabs(), n, n, size()).rows.empty());
  EXPECT_TRUE(global_to_local(slabs(), std::vector<std::int64_t>(), {}).empty());
  expect_error("cols has 1 entries, must have as many as rows, 2", [] { global_to_local(slabs(), {1, 2}, {1}); });
  expect_error("rows[0] is 13: the partition ends at 12", [] { global_to_local(slabs(), 13, 1); });
}

TEST(Cpp, IgnoresArraysOfProcessesWithoutAPart) {
  Operation last_row = square();
  last_row.m = 1, last_row.ia = last_row.ib = n;
  const Plan<double> plan(MPI_COMM_WORLD, slabs(), slabs(), last_row);
  const bool part = rank() == size() - 1;
  const std::vector<double> a(part ? local<double>(slabs()).size() : 1, 2.0);
  std::vector<double> b(a.size());
  EXPECT_NO_THROW(plan.execute(a, b));
  EXPECT_EQ(b.back(), part ? 2 : 0);
}

TEST(Cpp, Relabels) {
  Layout from = grid(size(), 1, n), to = grid(size(), 1, n);
  from.mb = to.mb = 1;
  for (int i = 0; i < size(); ++i) from.ranks.push_back(size() - 1 - i);
  const Relabelled best = relabelled(MPI_COMM_WORLD, from, to, square());
  EXPECT_EQ(best.kept, 1);
  EXPECT_EQ(best.ranks, from.ranks);
  EXPECT_LE(best.kept_before, 1);
  constexpr int largest = std::numeric_limits<int>::max();
  expect_error("b.nprow is 2147483647: the grid needs more than",
               [&] { relabelled(MPI_COMM_WORLD, from, grid(largest, largest, 1), square()); });
  expect_error("b.nprow is -1", [&] { relabelled(MPI_COMM_WORLD, from, grid(-1, 1, 1), square()); });
  expect_error("comm is MPI_COMM_NULL", [&] { relabelled(MPI_COMM_NULL, from, to, square()); });
}

TEST(Cpp, FitsAndTells) {
  Rules rules = rules_for("elpa");
  rules.block = 2, rules.blocks = 1;
  const Layout b = fit(MPI_COMM_WORLD, n, n, slabs(), rules);
  EXPECT_EQ(b.ranks.size(), static_cast<std::size_t>(b.nprow) * static_cast<std::size_t>(b.npcol));
  EXPECT_EQ(b.mb, 2);
  EXPECT_EQ(fit(MPI_COMM_WORLD, n, n, b, rules).ranks, b.ranks);
  std::vector<int> told(3, rank());
  tell(MPI_COMM_WORLD, b, told.data(), told.size());
  EXPECT_EQ(told, std::vector<int>(3, b.ranks[0]));
  expect_error("solver is \"mumps\"", [] { rules_for("mumps"); });
  expect_error("comm is MPI_COMM_NULL", [&] { fit(MPI_COMM_NULL, n, n, b); });
  expect_error("m is -1", [&] { fit(MPI_COMM_WORLD, -1, n, b); });
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
  expect_error("type is 'S', the plan's elements have type D",
               [] { Plan<double>(MPI_COMM_WORLD, slabs(), columns(), square('S')); });
  struct Pair {
    int first, second;
  };
  expect_error("type is 'D', the plan's elements have no letter",
               [] { Plan<Pair>(MPI_COMM_WORLD, slabs(), columns(), square('D')); });
  expect_error("elements without a letter cannot be converted",
               [] { Plan<Pair, double>(MPI_COMM_WORLD, slabs(), columns(), square()); });
  Operation bytes = square();
  bytes.bytes = 4;
  expect_error("bytes is 4, the plan's elements have 8",
               [&] { Plan<Pair>(MPI_COMM_WORLD, slabs(), columns(), bytes); });

  const Plan plan(MPI_COMM_WORLD, slabs(), columns(), square('D'));
  std::vector<float> wrong(n * n);
  std::vector<double> b(local<double>(columns()).size());
  expect_error("a has elements of type S and 4 bytes, the plan of type D and 8 bytes", [&] { plan.execute(wrong, b); });
  expect_error("b has elements of type S and 4 bytes, the plan of type D and 8 bytes",
               [&] { plan.execute(local<double>(slabs()), wrong); });
  expect_error("alpha or beta is complex, B has type D",
               [&] { plan.execute(local<double>(slabs()), b, std::complex<double>(0, 1)); });
  const Plan integers(MPI_COMM_WORLD, slabs(), columns(), square('I'));
  std::vector<int> c(b.size());
  expect_error("alpha or beta is 0.500000, must be an integer of B's type",
               [&] { integers.execute(local<int>(slabs()), c, 0.5); });
  expect_error("alpha or beta is 3000000000.000000, must be an integer of B's type",
               [&] { integers.execute(local<int>(slabs()), c, 3e9); });
  const Plan<Pair> pairs(MPI_COMM_WORLD, slabs(), columns(), square());
  std::vector<Pair> d(n * n);
  expect_error("alpha: the plan has no type", [&] { pairs.execute(d, d, Pair{}); });
}

TEST(CppMistakes, OfArrays) {
  const Plan<double> plan(MPI_COMM_WORLD, slabs(), columns(), square());
  auto a = local<double>(slabs()), b = local<double>(columns());
  a.pop_back();
  expect_error("a has " + std::to_string(a.size()) + " elements, must have", [&] { plan.execute(a, b); });
  a = local<double>(slabs());
  if (!a.empty()) {
    expect_error("a is NULL", [&] { plan.execute(nullptr, b); });
  }
  if (!b.empty()) {
    expect_error("ldb is 11, must be at least 12", [&] { plan.execute(a, {b.data(), n - 1}); });
    expect_error("b has ", [&] { plan.execute(a, {b, n + 1}); });
  }
  expect_error("count is 0, must be at least 1", [] { static_cast<void>(start({})); });
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
  const auto expect_refused = [](const Layout& a, const std::string& expected) {
    expect_error(expected, [&] { Plan<double>(MPI_COMM_WORLD, a, columns(), square()); });
  };
  Layout wrong = grid(1, 1, n);
  wrong.ranks = {0, 1};
  expect_refused(wrong, "a.ranks has 2 entries, must have nprow npcol = 1");
  wrong.ranks = {};
  wrong.rows = Partition{};
  expect_refused(wrong, "a.rows: bounds is empty, must have at least one number");
  wrong.rows = Partition{{0, 5, n}, {0}};
  expect_refused(wrong, "a.rows: there are 1 owners, must be 2");
  wrong.rows = Partition{{0, 5, n}, {0, 0}, {0, 5, 9}};
  expect_refused(wrong, "a.rows: there are 3 places, must be 2");
  Operation letter = square();
  letter.trans = 'X';
  expect_error("trans is 'X'", [&] { Plan<double>(MPI_COMM_WORLD, columns(), columns(), letter); });
  expect_error("comm", [&] { Plan<double>(MPI_COMM_NULL, columns(), columns(), square()); });
}

// The first plan for a communicator is collective, and each plan with the option "check".
TEST(CppMistakes, OnOneProcessLetTheOthersContinue) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const bool last = rank() == size() - 1;
  const auto mistaken = [&] {
    Layout layout = columns();
    if (last) layout.rows = Partition{};
    Plan<double>(comm, layout, columns(), square());
  };
  if (last)
    expect_error("a.rows: bounds is empty", mistaken);
  else
    EXPECT_NO_THROW(mistaken());
  set_option(comm, "check", "1");
  expect_error(last ? "a.rows: bounds is empty" : of_process(size() - 1, "operation is NULL"), mistaken);
  Rules one_of_each_node;
  one_of_each_node.per_node = 1;
  const auto fitted = [&] {
    Layout layout = columns();
    if (last) layout.rows = Partition{};
    fit(comm, n, n, layout, one_of_each_node);
  };
  expect_error(last ? "a.rows: bounds is empty" : of_process(size() - 1, "a is NULL"), fitted);
  expect_error(last ? "type is 'S'" : of_process(size() - 1, "operation is NULL"),
               [&] { Plan<double>(comm, columns(), columns(), square(last ? 'S' : 'D')); });
  MPI_Comm_free(&comm);
}

// x-pencils become y-pencils, which are stored along y; and a subarray with gaps.
TEST(Cpp, MovesArrays) {
  const ArrayLayout a("(*, *, BLOCK)", {1, 1, size()});
  ArrayLayout b("(BLOCK, *, *)", {size(), 1, 1});
  b.order = {1, 0, 2};
  const std::vector<std::int64_t> shape{6, 5, 8};
  const std::vector<std::int64_t> in_a = local_shape(a, shape, rank()), in_b = local_shape(b, shape, rank());
  const auto elements = [](const std::vector<std::int64_t>& x) { return static_cast<std::size_t>(x[0] * x[1] * x[2]); };
  const std::int64_t first_z = rank() * ((8 + size() - 1) / size()), first_x = rank() * ((6 + size() - 1) / size());
  std::vector<double> from(elements(in_a)), to(elements(in_b));
  const auto value = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<double>(x + 10 * y + 100 * z);
  };
  std::size_t k = 0;
  for (std::int64_t z = 0; z < in_a[2]; ++z)
    for (std::int64_t y = 0; y < in_a[1]; ++y)
      for (std::int64_t x = 0; x < in_a[0]; ++x) from[k++] = value(x, y, first_z + z);
  ArrayOperation operation;
  operation.shape = shape;
  const Plan<double> plan = array_plan<double>(MPI_COMM_WORLD, a, b, operation);
  plan.execute(from, to, 2.0);
  k = 0;
  for (std::int64_t z = 0; z < in_b[2]; ++z)
    for (std::int64_t x = 0; x < in_b[0]; ++x)
      for (std::int64_t y = 0; y < in_b[1]; ++y) EXPECT_EQ(to[k++], 2 * value(first_x + x, y, z));

  std::vector<double> wide(3 * to.size() + 1, -1);
  Job job = plan.job(from, wide);
  job.strides({}, {3 * in_b[1], 3, 3 * in_b[1] * std::max<std::int64_t>(in_b[0], 1)});
  start({job}).wait();
  for (k = 0; k < to.size(); ++k) EXPECT_EQ(2 * wide[3 * k], to[k]);
  if (!to.empty()) {
    EXPECT_EQ(wide[1], -1);
    to.pop_back();
    EXPECT_THROW(plan.job(from, to), Error);
  }
}

// Every second row, from the last one on, and a local array that is stored backwards.
TEST(Cpp, MovesListedRows) {
  const std::int64_t m = 4 * size(), columns = 3;
  Layout blocks;
  blocks.nprow = size(), blocks.npcol = 1, blocks.mb = 1, blocks.nb = columns;
  Layout backwards = blocks;
  Partition& rows = backwards.rows.emplace();
  rows.bounds = {0};
  for (std::int64_t k = 0; k < 2 * size(); ++k) {
    rows.bounds.push_back(k + 1);
    rows.owners.push_back(static_cast<int>(k / 2));
    rows.places.push_back(1 - k % 2);
  }
  std::vector<std::int64_t> list;
  for (std::int64_t k = 0; k < 2 * size(); ++k) list.push_back(m - 2 * k);
  xredist_operation operation{};
  operation.m = m / 2, operation.n = columns, operation.rows_a = list.data();
  const Plan<double> plan(MPI_COMM_WORLD, blocks, backwards, operation);
  const GlobalIndices in_a = local_to_global(blocks, m, columns, rank()),
                      in_b = local_to_global(backwards, m / 2, columns, rank());
  EXPECT_EQ(in_b.rows, (std::vector<std::int64_t>{2 * rank() + 2, 2 * rank() + 1}));
  std::vector<double> a(12), b(6, -1);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<double>(in_a.rows[k % 4] + 100 * in_a.cols[k / 4]);
  // The list leaves rows out, perhaps also the last local one: the leading dimension is not that of the submatrix.
  plan.execute({a.data(), 4}, b);
  for (std::size_t k = 0; k < b.size(); ++k)
    EXPECT_EQ(b[k], static_cast<double>(list[static_cast<std::size_t>(in_b.rows[k % 2] - 1)] + 100 * in_b.cols[k / 2]));
}

TEST(Cpp, MovesListedElementsOfArrays) {
  const ArrayLayout a("(*, BLOCK)", {1, size()}), b("(BLOCK, *)", {size(), 1});
  ArrayOperation operation;
  operation.shape = {size(), 2};
  operation.lists_a = {{}, {2, 1}};
  for (int k = size(); k > 0; --k) operation.lists_a[0].push_back(k);
  const auto plan = array_plan<double>(MPI_COMM_WORLD, a, b, operation);
  const std::vector<std::int64_t> held = local_shape(a, {size(), 2}, rank());
  std::vector<double> from(static_cast<std::size_t>(held[0] * held[1])), to(2);
  const double first = size() == 1 ? 0 : rank();
  for (std::size_t k = 0; k < from.size(); ++k)
    from[k] = static_cast<double>(k % static_cast<std::size_t>(size())) +
              100 * (first + static_cast<double>(k / static_cast<std::size_t>(size())));
  plan.execute(from, to);
  EXPECT_EQ(to, (std::vector<double>{100.0 + size() - 1 - rank(), 0.0 + size() - 1 - rank()}));
  const auto wrong = [&](const std::string& sentence) {
    expect_error(sentence, [&] { array_plan<double>(MPI_COMM_WORLD, a, b, operation); });
  };
  operation.lists_a[1].pop_back();
  wrong("operation.lists_a[1] has 1 entries, must have 2 as the subarray has elements");
  operation.lists_a.pop_back();
  wrong("operation.lists_a has 1 lists, a has 2 axes");
}

// x-pencils with gaps are written, and y-slabs read a half of the file.
TEST(Cpp, WritesAndReadsFilesOfArrays) {
  const std::string name = "cpp_arrays." + std::to_string(size()) + ".npy";
  const ArrayLayout a("(*, *, EVEN)", {1, 1, size()}), b("(*, BLOCK, *)", {1, size(), 1});
  ArrayFile file;
  file.shape = {3, 4, 2 * size()};
  file.strides = {2, 6, 24};
  file.order = 'C';
  std::vector<double> from(48, -1);
  for (std::size_t k = 0; k < 24; ++k) from[2 * k] = static_cast<double>(k + 24 * static_cast<std::size_t>(rank()));
  write<double>(MPI_COMM_WORLD, a, from, name, file);
  const xredist_array_file_info info = array_file_info(MPI_COMM_WORLD, name);
  EXPECT_EQ(info.dims, 3);
  EXPECT_EQ(std::vector<std::int64_t>(info.shape, info.shape + 3), file.shape);
  EXPECT_EQ(info.order, 'C');
  ArrayFile half;
  half.shape = {3, 4, size()};
  half.first_in_file = {1, 1, size() + 1};
  const std::vector<std::int64_t> held = local_shape(b, half.shape, rank());
  std::vector<float> to(static_cast<std::size_t>(held[0] * held[1] * held[2]));
  half.type_in_file = 'D';
  read<float>(MPI_COMM_WORLD, b, to, name, half);
  const std::int64_t first = rank() * ((4 + size() - 1) / size());
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(to.size()); ++k) {
    const std::int64_t x = k % 3, y = first + k / 3 % held[1], z = size() + k / 3 / held[1];
    EXPECT_EQ(to[static_cast<std::size_t>(k)], static_cast<float>(x + 3 * y + 12 * z));
  }
  const bool last = rank() == size() - 1;
  expect_error(last ? "a has 46 elements, must have at least 47" : of_process(size() - 1, "file is NULL"), [&] {
    std::vector<double> short_on_last(last ? 46 : 48);
    write<double>(MPI_COMM_WORLD, a, short_on_last, name, file);
  });
  half.first = {1};
  expect_error("file.first has 1 numbers, layout has 3 axes", [&] { read<float>(MPI_COMM_WORLD, b, to, name, half); });
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) std::remove(name.c_str());
}

TEST(Cpp, MistakesInArraysThrow) {
  EXPECT_THROW(ArrayLayout("(BLOCK", {1}), Error);
  EXPECT_THROW(ArrayLayout("(BLOCK, *)", {8}), Error);
  EXPECT_EQ(ArrayLayout(std::vector<Axis>{{2, 3}, {}}).axes.size(), 2U);
  EXPECT_THROW(ArrayLayout(std::vector<Axis>{}), Error);
  EXPECT_THROW(ArrayLayout(std::vector<Axis>{{2, -2}}), Error);
  EXPECT_THROW(ArrayLayout(std::vector<Axis>{{2, 3, 2}}), Error);
  EXPECT_THROW(ArrayLayout(std::vector<Axis>{{1, 0, 0, Partition{{1, 7}, {}}}}), Error);
  const ArrayLayout a("(*, BLOCK)", {1, size()});
  ArrayLayout b = a;
  ArrayOperation operation;
  operation.shape = {4, 5, 6};
  EXPECT_THROW(array_plan<double>(MPI_COMM_WORLD, a, b, operation), Error);
  operation.shape = {4, 5};
  b.order = {0};
  EXPECT_THROW(array_plan<double>(MPI_COMM_WORLD, a, b, operation), Error);
  b.order = {1, 0};
  const RelabelledArray best = relabelled(MPI_COMM_WORLD, a, b, operation);
  EXPECT_EQ(best.ranks.size(), static_cast<std::size_t>(size()));
  EXPECT_EQ(best.kept, 1);
}

}  // namespace
}  // namespace xredist::testing
