// SPDX-License-Identifier: BSD-3-Clause
// Planning is cheap: what one process does for a plan takes less than 20 times the stated times.
#include <gtest/gtest.h>

#include <chrono>

#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"

namespace xredist::core {
namespace {

using testing::line;
using testing::slow_build;

// The best of five, in seconds, so that other programs on the computer do not matter.
double seconds(const Traffic& traffic, Coord process) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = Clock::now();
    const Schedule schedule = default_schedule(traffic, {1e-6, 1e-9});
    const std::size_t messages =
        sends_of(traffic, schedule, process).size() + receives_of(traffic, schedule, process).size();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    EXPECT_GT(messages, 0u);
  }
  return least;
}

constexpr double slack = slow_build ? 400 : 20;

TEST(Planning, TakesAHundredMicrosecondsForAThousandProcesses) {
  const Overlap axis = line(1024, 3, 1024, 5, 1'000'000), side = line(32, 3, 32, 5, 50'000);
  EXPECT_LT(seconds({axis, point}, {341, 0}), slack * 100e-6);
  EXPECT_LT(seconds({side, side}, {11, 17}), slack * 100e-6);
}

TEST(Planning, TakesTenMillisecondsForAMillionProcesses) {
  const Index n = 10'000'000;
  const Overlap large = line(1000, 64, 1000, 36, n), small = line(1000, 3, 1000, 5, n),
                uneven = line(1000, 3, 999, 5, n);
  EXPECT_LT(seconds({large, large}, {333, 500}), slack * 10e-3);
  EXPECT_LT(seconds({small, small}, {333, 500}), slack * 10e-3);
  EXPECT_LT(seconds({small, uneven}, {333, 500}), slack * 10e-3);
}

TEST(Planning, DoesNotDependOnTheMatrix) {
  const auto time = [](Index n) { return seconds({line(32, 3, 32, 5, n), line(32, 64, 32, 64, n)}, {11, 17}); };
  EXPECT_LT(time(1'000'000'000), 5 * time(100'000) + 100e-6);
}

}  // namespace
}  // namespace xredist::core
