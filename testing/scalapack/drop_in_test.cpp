// SPDX-License-Identifier: BSD-3-Clause
// Compares the routines with ScaLAPACK's names with their definition and with ScaLAPACK's own routines.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "cases.hpp"
#include "environment.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

// All element types, the whole matrix from (1,1).
void expect_right(const Case& c, const Options& options = {}) {
  const auto letters = ours(), references = scalapacks();
  for (std::size_t l = 0; l < letters.size(); ++l) {
    std::ostringstream wrong;
    EXPECT_GT(run_case(c, letters[l], references[l], options, wrong), 0) << described(c);
    EXPECT_EQ(wrong.str(), "") << "letter " << letters[l].letter;
  }
}

Case whole_matrix(const GridShape& a, const GridShape& b, int m, int n, int block_a, int block_b) {
  return {a, b, row_major(size(), 1), {m, n, block_a, block_a, 0, 0, 1, 1, 0}, {m, n, block_b, block_b, 0, 0, 1, 1, 0},
          m, n};
}

// ScaLAPACK's routine reads 10^8 as "not given", and NPROW * MB overflows.
TEST(Blocks, AsLargeAsTheyGet) {
  for (int block : {100'000'000, 2'000'000'000})
    expect_right(whole_matrix(row_major(size(), 1), row_major(1, size()), 20, 20, block, 3), {.compare = false});
}

TEST(Forms, AllNamesOfARoutine) {
  for (Form form : {Form::fortran, Form::c, Form::old_fortran, Form::old_c})
    for (bool trapezoid : {false, true}) {
      Case c = whole_matrix(row_major(1, size()), row_major(size(), 1), 33, 44, 3, 4);
      c.trapezoid = trapezoid;
      expect_right(c, {.form = form});
    }
}

// Messages of many pieces, split between rows or between columns.
TEST(Pieces, MessagesLargerThanABuffer) {
  const auto a = row_major(1, size()), b = row_major(size(), 1);
  expect_right(whole_matrix(a, b, 9000, 70, 16, 1000), {.compare = false});
  expect_right(whole_matrix(a, b, 70, 9000, 1000, 16), {.compare = false});
  Case c = whole_matrix(a, b, 1500, 1400, 32, 64);
  c.trapezoid = true;
  expect_right(c, {.compare = false});
}

TEST(Nothing, EmptySubmatricesReturnAtOnce) {
  for (auto [m, n] : {std::pair{0, 5}, {5, 0}, {0, 0}, {-3, 0}})
    for (const Letter& letter : ours())  // not even the descriptors are looked at
      letter.call(Form::c, {false, 'U', 'N', m, n, nullptr, 1, 1, nullptr, nullptr, 1, 1, nullptr, -1});
}

// Copies a triangle of a 5 x 5 matrix whose descriptors have any DTYPE_. Returns B, which was 0.
std::vector<double> triangle(const Letter& letter, char uplo, char diag, xredist_int dtype = 1) {
  const Context grid(row_major(1, 1));
  std::vector<double> a(25), b(25, 0.0);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = 1 + static_cast<double>(k);
  const xredist_int desc[9] = {dtype, grid.handle(), 5, 5, 2, 3, 0, 0, 5};
  if (grid.member())
    letter.call(Form::c, {true, uplo, diag, 5, 5, a.data(), 1, 1, desc, b.data(), 1, 1, desc, grid.handle()});
  return b;
}

// "DTYPE_ is not read. ... any other UPLO stands for 'L', and any other DIAG for 'U' in an upper trapezoid and for 'N'
// in a lower one", as in ScaLAPACK.
TEST(Letters, OthersStandForOneOfTheTwo) {
  const auto letter = ours()[2], reference = scalapacks()[2];
  const auto expect_same = [&](char uplo, char diag, char known_uplo, char known_diag) {
    const std::vector<double> b = triangle(letter, uplo, diag, 77);
    EXPECT_EQ(b, triangle(letter, known_uplo, known_diag)) << uplo << diag;
    EXPECT_EQ(b, triangle(reference, uplo, diag)) << uplo << diag;
  };
  for (const char diag : {'N', 'U'}) {
    expect_same('u', diag, 'U', diag);
    for (const char uplo : {'l', 'A', 'X'}) expect_same(uplo, diag, 'L', diag);
  }
  for (const char diag : {'u', 'X', ' '}) expect_same('U', diag, 'U', 'U');
  for (const char diag : {'n', 'X', ' '}) expect_same('L', diag, 'L', 'N');
}

// A and B are one array. On one process ScaLAPACK's routine acts like memmove.
TEST(Aliasing, OneProcessMovesAsIfThroughACopy) {
  if (!has_scalapack()) GTEST_SKIP() << "compares with ScaLAPACK's routine";
  const Context context(row_major(1, 1));
  if (!context.member()) return;
  const xredist_int desc[9] = {1, context.handle(), 20, 20, 4, 4, 0, 0, 20};
  const auto letter = ours()[0], reference = scalapacks()[0];
  std::vector<xredist_int> x(400);
  for (int k = 0; k < 400; ++k) x[static_cast<std::size_t>(k)] = k;
  std::vector<xredist_int> y = x;
  for (auto [which, data] : {std::pair{&letter, &x}, {&reference, &y}})
    which->call(Form::c,
                {false, 'U', 'N', 15, 15, data->data(), 1, 1, desc, data->data(), 3, 2, desc, context.handle()});
  EXPECT_EQ(x, y);
  EXPECT_EQ(x[22], 0);
}

// A and B interleave in one array but share no element, which is allowed on any grid.
TEST(Aliasing, HalvesOfOneArray) {
  const Context grid(row_major(1, size()));
  const int n = 6 * size();
  const xredist_int desc[9] = {1, grid.handle(), 8, n, 3, 2, 0, 0, 8};
  std::vector<xredist_int> x(8 * 6);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<xredist_int>(k);
  std::vector<xredist_int> expected = x;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (k % 8 >= 4) expected[k] = static_cast<xredist_int>(k) - 4;
  ours()[0].call(Form::c, {false, 'U', 'N', 4, n, x.data(), 1, 1, desc, x.data(), 5, 1, desc, grid.handle()});
  EXPECT_EQ(x, expected);
}

// A process that only sends, while the receiver is outside of the library, must wait before its messages fill the
// receiver's memory.
TEST(FlowControl, ASenderDoesNotRunAway) {
  if (size() != 3) GTEST_SKIP() << "on three processes";
  const Context pair(row_major(1, 2));
  const xredist_int desc[9] = {1, pair.handle(), 100, 2, 100, 1, 0, 0, 100};
  std::vector<double> a(100, 1.0), b(100, 0.0);
  const auto call = [&] {
    ours()[2].call(Form::c, {false, 'U', 'N', 100, 1, a.data(), 1, 1, desc, b.data(), 1, 2, desc, pair.handle()});
  };
  if (pair.member()) call();
  int calls = 0;
  MPI_Request told = MPI_REQUEST_NULL;
  if (rank() == 1) {  // joins when process 2 has seen how far process 0 has come
    MPI_Recv(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 1000; ++k) call();
  }
  if (rank() == 0)
    for (; calls < 1000; ++calls) {
      call();
      if (calls == 500) MPI_Isend(nullptr, 0, MPI_INT, 2, 1, MPI_COMM_WORLD, &told);
    }
  if (rank() == 2) {
    int arrived = 0;
    for (const double end = MPI_Wtime() + 0.3; MPI_Wtime() < end;)
      MPI_Iprobe(0, 1, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
    EXPECT_EQ(arrived, 0) << "500 calls ahead";
    MPI_Send(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&told, MPI_STATUS_IGNORE);
}

// Process 1 receives a long message before its call, for which process 0 waits. In shared memory, neither a sender nor
// a receiver that waits has a request of MPI.
TEST(FlowControl, AnEarlierMessageContinues) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  constexpr int n = 200, elements = 1 << 20;
  const Context pair(row_major(1, 2));
  if (!pair.member()) return;
  const xredist_int desc[9] = {1, pair.handle(), n, 2 * n, n, n, 0, 0, n};
  std::vector<double> a(n * n, 1 + rank()), b(n * n), data(elements);
  for (const bool known : {false, true})
    for (const bool sends : {true, false}) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (known && rank() == 1) MPI_Recv(data.data(), elements, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (known && rank() == 0) MPI_Isend(data.data(), elements, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &request);
      ours()[2].call(Form::c, {false, 'U', 'N', n, n, a.data(), 1, sends ? 1 : 1 + n, desc, b.data(), 1,
                               sends ? 1 + n : 1, desc, pair.handle()});
      if (rank() == (sends ? 1 : 0)) {
        EXPECT_EQ(b, std::vector<double>(n * n, sends ? 1 : 2));
      }
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

// BLACS reuses the handle of a freed context for another grid, so the handle may not be a key.
TEST(Contexts, RecycledHandles) {
  for (int turn = 0; turn < 40; ++turn) {
    const auto grid = turn % 2 == 0 ? row_major(1, size()) : row_major(size(), 1);
    expect_right(whole_matrix(grid, row_major(1, 1, turn % size()), 20, 20, 2 + turn % 3, 5), {.compare = false});
  }
}

// More grids than a context stores, in changing order.
TEST(Contexts, ManyGridsThroughOneContext) {
  const Context all(row_major(size(), 1));
  const Letter letter = ours()[2];
  std::vector<std::unique_ptr<Context>> grids;
  for (int g = 0; g < 40; ++g) grids.push_back(std::make_unique<Context>(row_major(1, 1, g % size())));
  testing::Random random(8);
  for (int call = 0; call < 300; ++call) {
    const Context& a = *grids[static_cast<std::size_t>(random.below(40))];
    const Context& b = *grids[static_cast<std::size_t>(random.below(40))];
    double x = call, y = -1;
    const xredist_int desc_a[9] = {1, a.handle(), 1, 1, 1, 1, 0, 0, 1},
                      desc_b[9] = {1, b.handle(), 1, 1, 1, 1, 0, 0, 1};
    letter.call(Form::c, {false, 'U', 'N', 1, 1, &x, 1, 1, desc_a, &y, 1, 1, desc_b, all.handle()});
    EXPECT_EQ(y, b.member() ? call : -1);
  }
}

// With XREDIST_TUNE=1, one of these calls tries several ways, and later ones go the fastest.
// The last process may be in neither grid.
TEST(Repeated, CallsMoveAlike) {
  constexpr int n = 60, calls = 30;
  const Context all(row_major(size(), 1));
  for (const int members : {size(), std::max(1, size() - 1)}) {
    const Context rows(row_major(members, 1)), columns(row_major(1, members));
    const auto global = [&](int local, int block) {
      return rows.member() ? (local / block * members + rank()) * block + local % block : n;
    };
    std::vector<double> a(n * n, -1), b;
    for (int k = 0; global(k, 2) < n; ++k)
      for (int j = 0; j < n; ++j) a[static_cast<std::size_t>(k + j * n)] = global(k, 2) + n * j;
    const xredist_int desc_a[9] = {1, rows.handle(), n, n, 2, 2, 0, 0, n},
                      desc_b[9] = {1, columns.handle(), n, n, 3, 3, 0, 0, n};
    for (int call = 0; call < calls; ++call) {
      b.assign(n * n, -1);
      ours()[2].call(Form::c, {false, 'U', 'N', n, n, a.data(), 1, 1, desc_a, b.data(), 1, 1, desc_b, all.handle()});
      for (int k = 0; global(k, 3) < n; ++k)
        for (int i = 0; i < n; ++i) ASSERT_EQ(b[static_cast<std::size_t>(i + k * n)], i + n * global(k, 3)) << call;
    }
  }
}

// A and B share elements that stay on their process, one local row further. A call that is tuned would move A again.
TEST(Repeated, OverlappingArraysMoveOnce) {
  const int rows = 8, n = 100 * size();
  const Context grid(row_major(size(), 1));
  const xredist_int desc[9] = {1, grid.handle(), rows * size(), n, 1, n, 0, 0, rows};
  for (int call = 0; call < 12; ++call) {
    std::vector<xredist_int> x(static_cast<std::size_t>(rows * n));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<xredist_int>(k);
    ours()[0].call(Form::c, {false, 'U', 'N', (rows - 1) * size(), n, x.data(), 1, 1, desc, x.data(), 1 + size(), 1,
                             desc, grid.handle()});
    for (std::size_t k = 0; k < x.size(); ++k)
      ASSERT_EQ(x[k], static_cast<xredist_int>(k % rows == 0 ? k : k - 1)) << "call " << call;
  }
}

// XREDIST_TEST_SEED and XREDIST_TEST_CASES choose the cases and their number.
TEST(Random, Cases) {
  const unsigned seed = test_seed(20'240);
  const int cases = test_cases(250);
  testing::Random random(seed + 1000 * static_cast<unsigned>(size()));
  const auto letters = ours(), references = scalapacks();
  long moved = 0;
  for (int k = 0; k < cases; ++k) {
    const Case c = random_case(random, k % 10 == 0 ? 400 : 80);
    const auto letter = static_cast<std::size_t>(random.below(std::ssize(letters)));
    const Form form = static_cast<Form>(random.below(4));
    std::ostringstream wrong;
    const long now = run_case(c, letters[letter], references[letter], {.form = form}, wrong);
    EXPECT_TRUE(c.trapezoid || now == static_cast<long>(c.m) * c.n);
    moved += now;
    EXPECT_EQ(wrong.str(), "") << "seed " << seed << ", case " << k << ", letter " << letters[letter].letter;
  }
  EXPECT_GT(moved, cases * 100L);
}

}  // namespace
}  // namespace xredist::testing
