// SPDX-License-Identifier: BSD-3-Clause
#include "tune/measure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace xredist::core {
namespace {

// Returns what is measured of ways that take these seconds each. Sets the trials of each pass.
Measured measured_among(const std::vector<double>& seconds, std::vector<std::vector<std::size_t>>* passes = nullptr) {
  return measure(seconds.size(), [&](std::span<const std::size_t> trials, std::span<double> times) {
    ASSERT_EQ(trials.size(), times.size());
    std::ranges::transform(trials, times.begin(), [&](std::size_t way) { return seconds[way]; });
    if (passes != nullptr) passes->emplace_back(trials.begin(), trials.end());
  });
}

TEST(Measure, KeepsTheFastest) {
  EXPECT_EQ(measured_among({4, 3, 2, 5}).best(), 2U);
  EXPECT_EQ(measured_among({1, 3, 2, 5}).best(), 0U);
  EXPECT_EQ(measured_among({4, 3, 2, 5}).ways()[2].seconds, 2);
}

TEST(Measure, KeepsTheModelledWayUnlessAnotherIsClearlyFaster) {
  EXPECT_EQ(measured_among({1.0, 0.995}).best(), 0U);
  EXPECT_EQ(measured_among({1.0, 0.98}).best(), 1U);
}

// One way needs no time.
TEST(Measure, HasNoTrialsOfOneWay) {
  std::vector<std::vector<std::size_t>> passes;
  EXPECT_EQ(measured_among({1}, &passes).best(), 0U);
  EXPECT_TRUE(passes.empty());
}

// Slow ways are tried in the first pass alone; close ones in all passes. The ways of a pass take turns.
TEST(Measure, StopsEarly) {
  std::vector<std::vector<std::size_t>> passes;
  const Measured measured = measured_among({10, 30, 12, 10.5}, &passes);
  EXPECT_EQ(passes,
            (std::vector<std::vector<std::size_t>>{{0, 1, 2, 3, 0, 1, 2, 3}, {0, 2, 3, 0, 2, 3}, {0, 3, 0, 3}}));
  EXPECT_EQ(measured.trials(), 18);
  EXPECT_EQ(measured.ways()[1].trials, 2);
  EXPECT_EQ(measured.ways()[2].trials, 4);
  EXPECT_EQ(measured_among({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}).trials(), 24);
  EXPECT_EQ(measured_among({10, 13}).trials(), 8);
  EXPECT_EQ(measured_among({10, 13.1}).trials(), 4);
}

TEST(Measure, TriesAllWaysThreeTimesAtMost) {
  const Measured measured = measured_among(std::vector<double>(max_ways, 1.0));
  EXPECT_EQ(measured.trials(), 72);
  EXPECT_EQ(measured.best(), 0U);
}

// The least of the times of a way counts: a disturbed trial does no harm.
TEST(Measure, TakesTheLeastTimeOfAWay) {
  int trial = 0;
  const auto disturbed = [&](std::span<const std::size_t> trials, std::span<double> times) {
    for (std::size_t k = 0; k < trials.size(); ++k) times[k] = trials[k] == 1 ? (trial++ == 0 ? 50.0 : 1.0) : 2.0;
  };
  const Measured measured = measure(3, disturbed);
  EXPECT_EQ(measured.best(), 1U);
  EXPECT_EQ(measured.ways()[1].seconds, 1);
}

// Whatever the times, a way that is tried later was tried before, and the result is the least time within 1 %.
TEST(Measure, NarrowsTheChoice) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t ways = 2 + random() % (max_ways - 1);
    std::vector<double> least(ways, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before;
    const Measured measured = measure(ways, [&](std::span<const std::size_t> trials, std::span<double> times) {
      for (std::size_t k = 0; k < trials.size(); ++k) {
        EXPECT_TRUE(before.empty() || std::ranges::count(before, trials[k]) == 2);
        times[k] = static_cast<double>(1000 + random() % 600);
        least[trials[k]] = std::min(least[trials[k]], times[k]);
      }
      before.assign(trials.begin(), trials.end());
    });
    EXPECT_LE(measured.ways()[measured.best()].seconds, std::ranges::min(least) / 0.99);
    for (std::size_t way = 0; way < ways; ++way) EXPECT_EQ(measured.ways()[way].seconds, least[way]);
  }
}

}  // namespace
}  // namespace xredist::core
