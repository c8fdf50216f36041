// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "drivers/times.hpp"

namespace drivers {
namespace {

std::vector<double> numbers(int count) {
  std::vector<double> all(static_cast<std::size_t>(count));
  std::iota(all.rbegin(), all.rend(), 1.0);
  return all;
}

TEST(Summary, Median) {
  EXPECT_EQ(summary_of({3}).median, 3);
  EXPECT_EQ(summary_of({4, 1}).median, 2.5);
  EXPECT_EQ(summary_of(numbers(7)).median, 4);
  EXPECT_EQ(summary_of(numbers(7)).min, 1);
}

// Published ranks that bound the confidence interval of the median: n, lower, upper.
TEST(Summary, IntervalOfTheTables) {
  const int ranks[][3] = {{1, 1, 1},   {5, 1, 5},   {6, 1, 6},    {8, 1, 8},    {9, 2, 8},
                          {12, 3, 10}, {20, 6, 15}, {50, 18, 33}, {100, 40, 61}};
  for (const auto& [n, low, high] : ranks) {
    const Summary s = summary_of(numbers(n));
    EXPECT_EQ(s.low, low) << n;
    EXPECT_EQ(s.high, high) << n;
  }
}

TEST(Summary, ManyTimes) {
  const Summary s = summary_of(numbers(10000));
  EXPECT_NEAR(s.low, 5000 - 98, 2);
  EXPECT_NEAR(s.high, 5001 + 98, 2);
}

}  // namespace
}  // namespace drivers
