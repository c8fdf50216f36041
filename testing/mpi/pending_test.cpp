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

constexpr int n = 24;  // rows and columns of each matrix
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
      moves.emplace_back(comm, xredist_layout{size(), 1, 1, 1}, xredist_layout{1, size(), 1, 1}, n, n,
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

// Each process waits in an order of its own.
TEST(Pending, AreWaitedForInDifferentOrders) {
  std::vector<std::size_t> order = numbers();
  std::ranges::shuffle(order, std::mt19937(static_cast<unsigned>(2 + rank())));
  check(order);
}

}  // namespace
}  // namespace xredist::testing
