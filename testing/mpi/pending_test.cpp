// SPDX-License-Identifier: BSD-3-Clause
// Many small exchanges that are under way at once: all are right in any order of waiting, and their buffers stay within
// the option "buffer".
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "move.hpp"

namespace xredist::testing {
namespace {

constexpr int small = 24;  // rows and columns of each matrix
constexpr std::size_t exchanges = 2000;
// KiB: the buffers of early exchanges, those of the exchange in turn, and some for bookkeeping and MPI.
constexpr long max_growth = 16 << 10;

// Returns the maximum of memory (KiB) that was resident so far.
long max_resident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      long kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

// Starts all exchanges, each from rows to columns, and waits for them in this order.
void check(const std::vector<std::size_t>& order) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  EXPECT_EQ(xredist_set_option(comm, "buffer", "1M"), 0);
  {
    std::deque<Move> moves;
    for (std::size_t k = 0; k < exchanges; ++k)
      moves.emplace_back(comm, xredist_layout{size(), 1, 1, 1}, xredist_layout{1, size(), 1, 1}, small, small,
                         1000.0 * static_cast<double>(k));
    const long before = max_resident();
    ASSERT_GT(before, 0);
    for (Move& move : moves) ASSERT_EQ(move.start(), 0);
    for (const std::size_t k : order) {
      ASSERT_EQ(moves[k].wait(), 0) << k;
      ASSERT_EQ(moves[k].wrong(), 0) << k;
    }
    ::testing::Test::RecordProperty("grown_kib", static_cast<int>(max_resident() - before));
    EXPECT_LT(max_resident() - before, max_growth) << "KiB";
  }
  MPI_Comm_free(&comm);
}

std::vector<std::size_t> numbers() {
  std::vector<std::size_t> all(exchanges);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(Pending, AreWaitedForFromLastToFirst) {
  std::vector<std::size_t> order = numbers();
  std::ranges::reverse(order);
  check(order);
}

// Waits for a triangle while another exchange has the shared memory. Process 0 sends 9 bytes of the 6200 in its
// rectangle to process 1, in a message that takes the place of a flag.
TEST(Pending, AMessageTakesThePlaceOfAFlag) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  constexpr int large = 1000, m = 200;
  const int first[] = {0}, second[] = {1}, of_rows[] = {1, 0}, of_cols[] = {1, 0, 1, 0, 1, 0};
  const std::int64_t row_bounds[] = {0, 100, m}, col_bounds[] = {0, 60, 102, 103, 105, 106, m};
  const xredist_partition rows{2, row_bounds, of_rows}, cols{6, col_bounds, of_cols};
  const xredist_layout from{.nprow = 1, .npcol = 1, .mb = large, .nb = large, .ranks = first};
  const xredist_layout to{.nprow = 1, .npcol = 1, .mb = large, .nb = large, .ranks = second};
  const xredist_layout by_rows{.nprow = 2, .npcol = 1, .nb = m, .rows = &rows};
  const xredist_layout by_cols{.nprow = 1, .npcol = 2, .mb = m, .cols = &cols};
  const xredist_operation copy{.m = large, .n = large, .type = 'D'}, triangle{.m = m, .n = m, .uplo = 'U', .bytes = 1};
  xredist_plan *whole = nullptr, *upper = nullptr;
  ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, &from, &to, &copy, &whole), 0);
  ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, &by_rows, &by_cols, &triangle, &upper), 0);
  std::vector<double> a(rank() < 2 ? large * large : 0), b(a.size());
  std::vector<char> rows_of_a(m * m, 1), cols_of_b(m * m, 0);
  xredist_request *of_whole = nullptr, *of_upper = nullptr;
  const xredist_job moves{.plan = whole, .a = a.data(), .b = b.data()};
  const xredist_job moves_triangle{.plan = upper, .a = rows_of_a.data(), .b = cols_of_b.data()};
  EXPECT_EQ(xredist_start(1, &moves, &of_whole), 0);
  EXPECT_EQ(xredist_start(1, &moves_triangle, &of_upper), 0);
  EXPECT_EQ(xredist_wait(&of_upper), 0) << xredist_error();
  EXPECT_EQ(xredist_wait(&of_whole), 0);
  constexpr int in_cols_of_second = 60 * 61 / 2 + 103 + 106, in_triangle = m * (m + 1) / 2;
  const int expected = rank() == 0 ? in_triangle - in_cols_of_second : rank() == 1 ? in_cols_of_second : 0;
  EXPECT_EQ(std::ranges::count(cols_of_b, char{1}), expected);
  xredist_plan_destroy(whole);
  xredist_plan_destroy(upper);
}

// Process 1 receives a long message before it takes part in the exchange for which process 0 waits: in shared memory,
// the exchange alone would need no call of MPI.
TEST(Pending, AnEarlierMessageContinues) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  constexpr int rows = 200, elements = 1 << 20;
  const int zero = 0, one = 1;
  const xredist_layout on_0{1, 1, rows, rows, 0, 0, &zero}, on_1{1, 1, rows, rows, 0, 0, &one};
  for (const bool sends : {true, false}) {
    Move x(MPI_COMM_WORLD, sends ? on_0 : on_1, sends ? on_1 : on_0, rows, rows);
    std::vector<double> data(elements, 1);
    if (rank() == 1) MPI_Recv(data.data(), elements, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank() == 0) MPI_Isend(data.data(), elements, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, &request);
    EXPECT_EQ(execute_job(x.job()), 0);
    EXPECT_EQ(x.wrong(), 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

// Each process waits in an order of its own.
TEST(Pending, AreWaitedForInDifferentOrders) {
  std::vector<std::size_t> order = numbers();
  std::ranges::shuffle(order, std::mt19937(static_cast<unsigned>(2 + rank())));
  check(order);
}

}  // namespace
}  // namespace xredist::testing
