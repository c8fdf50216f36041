// SPDX-License-Identifier: BSD-3-Clause
// Many small exchanges that are under way at once: all are right in any order of waiting, and their buffers stay within
// the option "buffer".
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {
namespace {

constexpr int n = 24;  // rows and columns of each matrix
constexpr std::size_t exchanges = 2000, elements = n * n;
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

// Exchanges of a plan from rows to columns. Exchange k moves its own matrix, whose elements are k + 1.
class Pending {
 public:
  Pending() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    EXPECT_EQ(xredist_set_option(comm_, "buffer", "1M"), 0);
    const xredist_layout rows{size(), 1, 1, 1}, cols{1, size(), 1, 1};
    EXPECT_EQ(create_plan(comm_, rows, cols, {.m = n, .n = n, .bytes = 8}, &plan_), 0);
    for (std::size_t k = 0; k < exchanges; ++k)
      std::fill_n(a_.data() + k * elements, elements, static_cast<double>(k + 1));
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() {
    xredist_plan_destroy(plan_);
    MPI_Comm_free(&comm_);
  }

  void start_all() {
    for (std::size_t k = 0; k < exchanges; ++k)
      ASSERT_EQ(start_job({plan_, a_.data() + k * elements, n, b_.data() + k * elements, n}, &requests_[k]), 0) << k;
  }

  // Waits for exchange k. Its matrix is complete then.
  void wait(std::size_t k) {
    ASSERT_EQ(xredist_wait(&requests_[k]), 0) << k;
    std::size_t mine = 0;
    for (int j = 0; j < n; ++j) mine += j % size() == rank() ? n : 0;
    const double* b = b_.data() + k * elements;
    ASSERT_EQ(std::count(b, b + mine, static_cast<double>(k + 1)), static_cast<std::ptrdiff_t>(mine)) << k;
    ASSERT_EQ(std::count(b + mine, b + elements, -1.0), static_cast<std::ptrdiff_t>(elements - mine)) << k;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  xredist_plan* plan_ = nullptr;
  std::vector<double> a_ = std::vector<double>(exchanges * elements, 0.0);
  std::vector<double> b_ = std::vector<double>(exchanges * elements, -1.0);
  std::vector<xredist_request*> requests_ = std::vector<xredist_request*>(exchanges, nullptr);
};

std::vector<std::size_t> numbers() {
  std::vector<std::size_t> all(exchanges);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

void check(const std::vector<std::size_t>& order) {
  Pending pending;
  const long before = max_resident();
  ASSERT_GT(before, 0);
  pending.start_all();
  for (const std::size_t k : order)
    if (!::testing::Test::HasFatalFailure()) pending.wait(k);
  ::testing::Test::RecordProperty("grown_kib", static_cast<int>(max_resident() - before));
  EXPECT_LT(max_resident() - before, max_growth) << "KiB";
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
