// SPDX-License-Identifier: BSD-3-Clause
// optimal_schedule against the graph of the messages, in many cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "random/random_traffic.hpp"
#include "schedule/checker.hpp"
#include "schedule/split.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::line;
using testing::slow_build;

// Checks that the schedule and the reverse schedule are proper and have the minimum number of steps.
void expect_optimal(const Traffic& traffic, const testing::Truth& truth) {
  const Schedule schedule = optimal_schedule(traffic);
  ASSERT_EQ(schedule.count, truth.steps()) << described(traffic);
  ASSERT_EQ(testing::fault_in(traffic, truth, schedule), "") << described(traffic);
  ASSERT_EQ(optimal_schedule(reversed(traffic)).count, schedule.count) << described(traffic);
}

void expect_optimal(const Traffic& traffic) { expect_optimal(traffic, testing::Truth(traffic)); }

// Calls try_case(P, Q, r, s) for all P, Q <= procs and r, s <= block, or for every fifth.
template <class Try>
void for_all(Index procs, Index block, Try try_case) {
  Index turn = 0;
  for (Index P = 1; P <= procs; ++P)
    for (Index Q = 1; Q <= procs; ++Q)
      for (Index r = 1; r <= block; ++r)
        for (Index s = 1; s <= block; ++s) {
          if (slow_build && turn++ % 5 != 0) continue;
          try_case(P, Q, r, s);
          if (::testing::Test::HasFatalFailure()) return;
        }
}

// With sources and offsets: some elements more than a period, or fewer.
TEST(Optimal, AllSmallAxes) {
  testing::Random random(11);
  for_all(16, 12, [&](Index P, Index Q, Index r, Index s) {
    const Index whole = std::lcm(P * r, Q * s);
    const auto overlap = [&](Index n) {
      const Axis a = random_axis(random, P, r), b = random_axis(random, Q, s);
      return Overlap(a, b, n);
    };
    expect_optimal({point, overlap(whole + random.below(P * r))});
    if (whole == 1) return;
    expect_optimal({overlap(1 + random.below(whole - 1)), point});
    expect_optimal({point, overlap(1 + random.below(std::min(whole - 1, 2 * P * r)))});
  });
}

// Block sizes that are coprime, equal, multiples or neither, equal or different on the two axes.
TEST(Optimal, AllPairsOfGridsOfUpTo12Processes) {
  const Index blocks[][4] = {{1, 1, 1, 1}, {3, 5, 3, 5}, {2, 4, 4, 2},   {1, 6, 3, 2}, {4, 3, 5, 5}, {6, 4, 9, 6},
                             {2, 3, 8, 1}, {7, 1, 5, 3}, {12, 8, 8, 12}, {5, 2, 2, 3}, {1, 2, 1, 3}, {10, 4, 1, 7}};
  testing::Random random(13);
  Index turn = 0;
  for (Index Pr = 1; Pr <= 12; ++Pr)
    for (Index Pc = 1; Pr * Pc <= 12; ++Pc)
      for (Index Qr = 1; Qr <= 12; ++Qr)
        for (Index Qc = 1; Qr * Qc <= 12; ++Qc)
          for (const auto& [r_row, s_row, r_col, s_col] : blocks) {
            if (slow_build && turn++ % 5 != 0) continue;
            const Index rows = std::lcm(Pr * r_row, Qr * s_row), cols = std::lcm(Pc * r_col, Qc * s_col);
            expect_optimal({line(Pr, r_row, Qr, s_row, rows), line(Pc, r_col, Qc, s_col, cols)});
            // With sources and offsets; some matrices are shorter than a period on either axis.
            const auto any = [&](Index P, Index r, Index Q, Index s, Index whole) {
              const Axis a = random_axis(random, P, r), b = random_axis(random, Q, s);
              return Overlap(a, b, random.below(3) == 0 ? 1 + random.below(whole) : whole + random.below(9));
            };
            const Overlap moved = any(Pr, r_row, Qr, s_row, rows);
            expect_optimal({moved, any(Pc, r_col, Qc, s_col, cols)});
            if (HasFatalFailure()) return;
          }
}

// Many processes, with sources and offsets; the numbers of processes have common divisors or none.
TEST(Optimal, RandomAxesOfUpTo2000Processes) {
  testing::Random random(14);
  int whole_periods = 0, trials = 0;
  for (const int wanted = slow_build ? 12 : 400; trials < wanted;) {
    const Index common = 1 + random.below(500);
    const Index P = common * (1 + random.below(2000 / common)), Q = common * (1 + random.below(2000 / common));
    const Axis a = random_axis(random, P, 1 + random.below(64)), b = random_axis(random, Q, 1 + random.below(64));
    const Index whole = std::lcm(P * a.block(), Q * b.block());
    const bool full = random.below(2) == 0;
    if (full && (whole > 500'000 || P == 1 || Q == 1)) continue;
    expect_optimal({Overlap(a, b, full ? whole + random.below(1000) : 1 + random.below(100'000)), point});
    if (HasFatalFailure()) return;
    ++trials;
    whole_periods += full;
  }
  EXPECT_GT(whole_periods, 0);
  EXPECT_LT(whole_periods, trials);
}

TEST(Optimal, AllToAllOf2000Processes) {
  if (slow_build) GTEST_SKIP() << "four million messages";
  expect_optimal({line(2000, 1, 1999, 1, 2000 * 1999), point});
}

// Larger grids. If the matrix is shorter than a period and the graph is too large to be coloured as a whole, the
// schedule has less than twice the minimum number of steps.
TEST(Optimal, RandomLargerGrids) {
  testing::Random random(15);
  int exact = 0;
  const int trials = slow_build ? 20 : 2000;
  for (int trial = 0; trial < trials; ++trial) {
    const Overlap rows = any_overlap(random, 24, 40, 1000);
    const Traffic traffic{rows, any_overlap(random, 24, 40, 1000)};
    const testing::Truth truth(traffic);
    const Schedule schedule = optimal_schedule(traffic);
    ASSERT_EQ(testing::fault_in(traffic, truth, schedule), "") << described(traffic);
    const bool periods = traffic.rows.n >= period(traffic.rows) && traffic.cols.n >= period(traffic.cols);
    if (periods) {
      ASSERT_EQ(schedule.count, truth.steps()) << described(traffic);
    } else {
      ASSERT_GE(schedule.count, truth.steps()) << described(traffic);
      ASSERT_LT(schedule.count, 2 * truth.steps()) << described(traffic);
    }
    exact += schedule.count == truth.steps();
  }
  EXPECT_GT(exact, 0.9 * trials);
}

// The factors of a product give the messages that the product gives one by one, to senders and to receivers.
TEST(Product, IsEvaluatedByItsFactors) {
  testing::Random random(20'261'129);
  const auto same = [](const Message& x, const Message& y) {
    return x.step == y.step && x.peer == y.peer && x.rows == y.rows && x.cols == y.cols;
  };
  for (int trial = 0; trial < 300; ++trial) {
    const Overlap rows = any_overlap(random, 6, 9, 200);
    const Traffic traffic{rows, any_overlap(random, 6, 9, 200)};
    const auto split = split_schedule(rows_alone(traffic));  // messages in several parts
    const Schedule by_factors =
        product(split ? *split : optimal_schedule(rows_alone(traffic)), optimal_schedule(cols_alone(traffic)));
    ASSERT_NE(by_factors.axes, nullptr);
    const Schedule one_by_one{by_factors.count, by_factors.parts};
    for (Index p = 0; p < traffic.rows.a.procs; ++p)
      for (Index q = 0; q < traffic.cols.a.procs; ++q)
        ASSERT_TRUE(
            std::ranges::equal(sends_of(traffic, by_factors, {p, q}), sends_of(traffic, one_by_one, {p, q}), same))
            << described(traffic);
    for (Index p = 0; p < traffic.rows.b.procs; ++p)
      for (Index q = 0; q < traffic.cols.b.procs; ++q)
        ASSERT_TRUE(std::ranges::equal(receives_of(traffic, by_factors, {p, q}),
                                       receives_of(traffic, one_by_one, {p, q}), same))
            << described(traffic);
  }
}

}  // namespace
}  // namespace xredist::core
