// SPDX-License-Identifier: BSD-3-Clause
// The schedules of the library, on examples of the literature and on grids of different shapes.
#include "schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "checker.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::line;

// Desprez et al. 1998, sections 2 and 4.6 (the last example): the numbers of steps that the paper states, and the total
// costs with messages that are cut.
TEST(Schedule, ExamplesOfDesprezEtAl) {
  struct Example {
    Index P, r, Q, s, steps, split;
  };
  const Example examples[] = {{16, 3, 16, 5, 7, 15},
                              {16, 7, 16, 11, 16, 77},
                              {15, 3, 15, 5, 10, 15},
                              {12, 4, 8, 3, 4, 6},
                              {15, 2, 6, 3, 10, 15}};
  for (const auto& [P, r, Q, s, steps, split] : examples) {
    const Traffic traffic{point, line(P, r, Q, s, std::lcm(P * r, Q * s))};
    const auto total = [&](const Schedule& schedule) {
      const std::vector<Index> longest = testing::longest_of_steps(traffic, schedule);
      return std::accumulate(longest.begin(), longest.end(), Index{0});
    };
    EXPECT_EQ(optimal_schedule(traffic).count, steps) << described(traffic);
    EXPECT_EQ(total(split_schedule(traffic).value()), split) << described(traffic);
    EXPECT_EQ(testing::Truth(traffic).elements(), split) << described(traffic);
  }
}

// Grids of different shapes with equal blocks: a product of two schedules, one for each axis, would have up to 16 times
// as many steps.
TEST(Schedule, ReshapedGrids) {
  const auto steps = [](Index Pr, Index Pc, Index Qr, Index Qc) {
    return optimal_schedule({line(Pr, 64, Qr, 64, 100'000), line(Pc, 64, Qc, 64, 100'000)}).count;
  };
  EXPECT_EQ(steps(1, 256, 16, 16), 16);
  EXPECT_EQ(steps(16, 16, 8, 32), 2);
  EXPECT_EQ(steps(24, 24, 32, 18), 12);
}

// Matrices shorter than a period on both axes. The number of steps is the minimum if the graph is small, and less than
// twice the minimum if it is too large to be coloured.
TEST(Schedule, ShortMatricesOfAnySize) {
  testing::Random random(6);
  for (int trial = 0; trial < 30; ++trial) {
    const Overlap rows = random.any_overlap(40, 40, 1500);
    const Traffic traffic{rows, random.any_overlap(40, 40, 1500)};
    const testing::Truth truth(traffic);
    const Schedule schedule = coloured_schedule(traffic);
    EXPECT_GE(schedule.count, truth.steps());
    EXPECT_LT(schedule.count, 2 * truth.steps());
    ASSERT_EQ(testing::fault_in(traffic, truth, schedule), "") << described(traffic);
  }
}

// Checks that both constructions find the same number of steps for a traffic.
TEST(Schedule, PeriodicAndColouredAgreeOnTheNumberOfSteps) {
  testing::Random random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const Overlap rows = random.periods(5, 8, 100);
    const Traffic traffic{rows, random.periods(5, 8, 100)};
    ASSERT_EQ(periodic_schedule(traffic).count, coloured_schedule(traffic).count) << described(traffic);
  }
}

TEST(Schedule, ReversedIsTheSameFromTheOtherSide) {
  const Traffic traffic{line(4, 3, 6, 5, 1000), line(3, 2, 2, 7, 500)};
  const Schedule schedule = optimal_schedule(traffic);
  const Traffic back = reversed(traffic);
  EXPECT_EQ(testing::fault_in(back, testing::Truth(back), reversed(schedule)), "");
}

}  // namespace
}  // namespace xredist::core
