// SPDX-License-Identifier: BSD-3-Clause
// Schedules of arrays of any number of axes: the examples of the papers, and random arrays.
#include <gtest/gtest.h>

#include "random/array_lines.hpp"
#include "schedule/checker.hpp"
#include "schedule/choose.hpp"

namespace xredist::core {
namespace {

using testing::Line;

// BLOCK on p processes.
Line block(Index p, Index q, Index n) { return {p, n / p, q, n / q, n}; }

struct Steps {
  Index all, without_own;
  friend bool operator==(const Steps&, const Steps&) = default;
};

// Checks both schedules, and that their steps are as few as the messages allow.
Steps steps_of(const std::vector<Line>& lines) {
  const auto [traffic, a, b] = testing::array_of(lines);
  const testing::Truth truth(traffic);
  const Schedule all = optimal_schedule(traffic), without_own = optimal_schedule(traffic, {a, b});
  EXPECT_EQ(testing::fault_in(traffic, truth, all), "");
  EXPECT_EQ(testing::fault_in(traffic, truth, without_own, testing::Ports::one, {a, b}), "");
  EXPECT_EQ(all.count, truth.steps());
  return {all.count, without_own.count};
}

// Section 2 of Kalns & Ni 1995: (*, BLOCK, CYCLIC) to (CYCLIC, CYCLIC, BLOCK) on 40 processes. A product of three
// schedules, one for each axis, has 200 steps and 80 steps. There are 1600 messages, more than graph_of() lists to
// leave out messages to oneself (limits.hpp): 39 steps would be enough.
TEST(ArraySchedules, OfKalnsAndNi) {
  EXPECT_EQ(steps_of({{1, 20, 5, 1, 20}, {4, 12, 4, 1, 48}, {10, 1, 2, 50, 100}}), (Steps{40, 40}));
  EXPECT_EQ(steps_of({{1, 20, 2, 1, 20}, {8, 12, 4, 1, 96}, {5, 1, 5, 10, 50}}), (Steps{40, 40}));
}

// Pencils of FFTs. A product of schedules has 4, 16 and 64 steps from x to y.
TEST(ArraySchedules, OfPencils) {
  EXPECT_EQ(steps_of({block(1, 2, 8), block(2, 1, 8), block(2, 2, 8)}), (Steps{2, 1}));
  EXPECT_EQ(steps_of({block(1, 4, 8), block(4, 1, 8), block(2, 2, 8)}), (Steps{4, 3}));
  EXPECT_EQ(steps_of({block(1, 8, 8), block(8, 1, 8), block(8, 8, 8)}), (Steps{8, 7}));
  EXPECT_EQ(steps_of({block(1, 2, 8), block(2, 2, 8), block(2, 1, 8)}).all, 2);  // from x to z
  EXPECT_EQ(steps_of({block(1, 8, 8), block(8, 8, 8), block(8, 1, 8)}).all, 8);
  EXPECT_EQ(steps_of({{2, 3, 1, 5, 30}, {2, 3, 2, 5, 30}, {1, 3, 2, 5, 30}}), (Steps{4, 3}));  // CYCLIC(3) to CYCLIC(5)
}

// Walker & Otto 1996: K1 K2 K3 steps for all axes at once, where one axis after the other has K1 + K2 + K3 phases.
TEST(ArraySchedules, OfWalkerAndOtto) {
  EXPECT_EQ(steps_of({{7, 1, 7, 2, 14}, {7, 1, 7, 3, 21}, {7, 1, 7, 5, 35}}).all, 30);
  EXPECT_EQ(steps_of({{3, 1, 3, 2, 12}, {4, 1, 4, 3, 24}, {3, 1, 3, 2, 12}}).all, 12);
}

TEST(ArraySchedules, OfRandomArraysAreProper) {
  for (int seed = 0; seed < (testing::slow_build ? 60 : 400); ++seed) {
    testing::Random random(static_cast<std::uint64_t>(seed));
    std::vector<Overlap> factors;
    for (int k = random.in(2, 4); k > 0; --k) factors.push_back(testing::any_overlap(random, 3, 4, 20));
    const Traffic traffic{testing::any_overlap(random, 4, 4, 20), Overlap(factors)};
    const testing::Truth truth(traffic);
    const Schedule optimal = optimal_schedule(traffic);
    ASSERT_EQ(testing::fault_in(traffic, truth, optimal), "") << "case " << seed;
    ASSERT_EQ(optimal.count, truth.steps()) << "case " << seed;
    const Schedule chosen = default_schedule(traffic, {1e-5, 1e-9, 1}), back = reversed(optimal);
    ASSERT_EQ(testing::fault_in(traffic, truth, chosen), "") << "case " << seed;
    ASSERT_EQ(testing::fault_in(reversed(traffic), testing::Truth(reversed(traffic)), back), "") << "case " << seed;
  }
}

}  // namespace
}  // namespace xredist::core
