// SPDX-License-Identifier: BSD-3-Clause
// Schedules that weigh messages: split, quantised.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "checker.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"
#include "schedule/graph.hpp"
#include "schedule/limits.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::line;
using testing::slow_build;

Index total(const Traffic& traffic, const Schedule& schedule) {
  const std::vector<Index> longest = testing::longest_of_steps(traffic, schedule);
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

// Calls check(traffic, truth) for axes and grids; whole periods or any length.
template <class Check>
void for_random(unsigned seed, bool whole_periods, Check check) {
  testing::Random random(seed);
  for (int trial = 0; trial < (slow_build ? 40 : 400); ++trial) {
    const auto axis = [&](Index procs, Index longest) {
      return whole_periods ? random.periods(procs, 8, longest) : random.any_overlap(procs, 8, longest);
    };
    const Overlap rows = trial % 2 == 0 ? axis(10, 300) : axis(4, 100);
    const Traffic traffic{rows, trial % 2 == 0 ? point : axis(4, 100)};
    check(traffic, testing::Truth(traffic));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Split, HasTheLeastTotal) {
  for_random(63, true, [](const Traffic& traffic, const testing::Truth& truth) {
    const auto schedule = split_schedule(traffic);
    ASSERT_TRUE(schedule) << described(traffic);
    EXPECT_EQ(testing::fault_in(traffic, truth, *schedule), "") << described(traffic);
    EXPECT_GE(schedule->count, truth.steps()) << described(traffic);
    const auto graph = graph_of(traffic);
    EXPECT_EQ(static_cast<double>(total_cost(*graph, *schedule)) * graph->periods(),
              static_cast<double>(truth.elements()))
        << described(traffic);
    if (traffic.cols.n == 1) {
      EXPECT_EQ(total(traffic, *schedule), truth.elements()) << described(traffic);
    }
  });
}

TEST(Split, GivesUpWhereItIsTooMuchWork) {
  const Traffic traffic{point, line(60, 7, 64, 11, 60 * 64 * 77)};
  EXPECT_TRUE(split_schedule(traffic));
  EXPECT_FALSE(split_schedule(graph_of(traffic), 1000));
}

TEST(Split, LosesNothingOfLongMessages) {
  for (const Index periods : {100'000, 10'000'000, 1'000'000'000}) {
    const Traffic traffic{point, line(15, 2, 6, 3, 90 * periods)};
    const auto least = static_cast<double>(15 * periods);  // of each receiver
    const auto all = static_cast<double>(total(traffic, split_schedule(traffic).value()));
    EXPECT_GE(all, least);
    EXPECT_LE(all, least * (1 + 1e-9)) << periods;
  }
}

TEST(Quantised, StaysWithinItsBound) {
  testing::Random random(65);
  for_random(66, true, [&](const Traffic& traffic, const testing::Truth& truth) {
    const Index quantum = 1 + random.below(40);
    const auto schedule = quantised_schedule(graph_of(traffic), static_cast<double>(quantum));
    ASSERT_TRUE(schedule) << described(traffic);
    EXPECT_EQ(testing::fault_in(traffic, truth, *schedule), "") << described(traffic);
    EXPECT_GE(schedule->count, truth.steps());
    EXPECT_LE(schedule->count, truth.elements() / quantum + truth.steps()) << quantum << "\n" << described(traffic);
    if (traffic.cols.n == 1) {  // the smallest part is an element; in two dimensions it is a row or a column
      EXPECT_LE(std::ranges::max(testing::longest_of_steps(traffic, *schedule)), quantum) << described(traffic);
    }
  });
}

TEST(Quantised, IsOptimalWhereTheQuantumIsTheLongestMessage) {
  for_random(67, false, [](const Traffic& traffic, const testing::Truth& truth) {
    const auto schedule = quantised_schedule(graph_of(traffic), static_cast<double>(traffic.rows.n * traffic.cols.n));
    ASSERT_TRUE(schedule) << described(traffic);
    EXPECT_EQ(schedule->count, truth.steps()) << described(traffic);
    EXPECT_EQ(testing::fault_in(traffic, truth, *schedule), "") << described(traffic);
  });
}

TEST(Matchings, RefuseGraphsThatAreTooLarge) {
  const Traffic large{point, line(129, 1, 128, 1, 129 * 128)};
  EXPECT_FALSE(split_schedule(large));
  EXPECT_TRUE(quantised_schedule(graph_of(large), 1));
  EXPECT_FALSE(quantised_schedule(graph_of({point, line(1, 1, 2, 1, 2 * limits::quanta + 2)}), 1));
}

}  // namespace
}  // namespace xredist::core
