// SPDX-License-Identifier: BSD-3-Clause
// The schedules of Walker & Otto 1996.
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "checker.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/papers/papers.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::line;

// Figure 8(b): the receiver of the block that process p (column) sends in step k (row), P = 16, K = 12.
constexpr std::array<std::array<Index, 16>, 12> figure_8b{{
    {0, 4, 8, 12, 3, 7, 11, 15, 2, 6, 10, 14, 1, 5, 9, 13},
    {12, 0, 4, 8, 15, 3, 7, 11, 14, 2, 6, 10, 13, 1, 5, 9},
    {8, 12, 0, 4, 11, 15, 3, 7, 10, 14, 2, 6, 9, 13, 1, 5},
    {4, 8, 12, 0, 7, 11, 15, 3, 6, 10, 14, 2, 5, 9, 13, 1},
    {1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15, 2, 6, 10, 14},
    {13, 1, 5, 9, 12, 0, 4, 8, 15, 3, 7, 11, 14, 2, 6, 10},
    {9, 13, 1, 5, 8, 12, 0, 4, 11, 15, 3, 7, 10, 14, 2, 6},
    {5, 9, 13, 1, 4, 8, 12, 0, 7, 11, 15, 3, 6, 10, 14, 2},
    {2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, 3, 7, 11, 15},
    {14, 2, 6, 10, 13, 1, 5, 9, 12, 0, 4, 8, 15, 3, 7, 11},
    {10, 14, 2, 6, 9, 13, 1, 5, 8, 12, 0, 4, 11, 15, 3, 7},
    {6, 10, 14, 2, 5, 9, 13, 1, 4, 8, 12, 0, 7, 11, 15, 3},
}};

TEST(WalkerOtto, IsThePapersFigure8b) {
  const Traffic traffic{point, line(16, 5, 16, 60, 16 * 60)};
  const Schedule schedule = walker_otto_schedule(traffic).value();
  EXPECT_EQ(schedule.count, 12);
  for (Index p = 0; p < 16; ++p) {
    const std::vector<Message> sends = sends_of(traffic, schedule, {0, p});
    ASSERT_EQ(sends.size(), 12u);
    for (std::size_t k = 0; k < 12; ++k) {
      EXPECT_EQ(sends[k].step, static_cast<Index>(k));
      EXPECT_EQ(sends[k].peer.col, at(figure_8b[k], p)) << "step " << k << " process " << p;
    }
  }
}

// Blocks of r become blocks of K r, or the reverse. The submatrices begin so that each large block begins together with
// a small one.
Overlap growth(Index P, Index K, Index r, Index n, testing::Random& random) {
  const Index into = random.below(K * r);  // elements into the large block
  Axis small = random.axis(P, r), large = random.axis(P, K * r);
  small.first = random.below(5) * r + into % r + (into / r) * r;
  large.first = random.below(3) * K * r + into;
  return random.below(2) == 0 ? Overlap(small, large, n) : Overlap(large, small, n);
}

// Checks the paper's conditions for permutations: there are K steps, and in each step all processes send and receive
// the same number of elements. If K exceeds P, the message of a pair comes in several parts.
TEST(WalkerOtto, KeepsAllProcessesBusyForFullPeriods) {
  testing::Random random(71);
  int several = 0;
  for (Index P = 1; P <= 12; ++P)
    for (Index K = 1; K <= 20; ++K) {
      const Index r = 1 + random.below(4), periods = 1 + random.below(3);
      const Traffic traffic{growth(P, K, r, P * K * r * periods, random), point};
      const auto schedule = walker_otto_schedule(traffic);
      ASSERT_TRUE(schedule) << described(traffic);
      EXPECT_EQ(schedule->count, P == 1 ? 1 : K);
      ASSERT_EQ(testing::fault_in(traffic, testing::Truth(traffic), *schedule), "") << described(traffic);
      if (P == 1) continue;
      for (Index p = 0; p < P; ++p)
        for (const auto& list : {sends_of(traffic, *schedule, {p, 0}), receives_of(traffic, *schedule, {p, 0})}) {
          ASSERT_EQ(list.size(), as_size(K)) << described(traffic);
          for (const Message& message : list) ASSERT_EQ(message.elements(), periods * r) << described(traffic);
        }
      several += K > P;
    }
  EXPECT_GT(several, 50);
}

TEST(WalkerOtto, BothAxesAtOnce) {
  testing::Random random(72);
  for (int trial = 0; trial < 300; ++trial) {
    const Index P_row = 2 + random.below(4), P_col = 2 + random.below(4);
    const Index K_row = 1 + random.below(6), K_col = 1 + random.below(6);
    const Index r = 3 + random.below(3);  // as many rows or columns as parts, for up to 3 parts an axis
    const Overlap rows = growth(P_row, K_row, r, P_row * K_row * r, random);
    const Traffic traffic{rows, growth(P_col, K_col, r, P_col * K_col * r, random)};
    const auto schedule = walker_otto_schedule(traffic);
    ASSERT_TRUE(schedule) << described(traffic);
    EXPECT_EQ(schedule->count, K_row * K_col);
    ASSERT_EQ(testing::fault_in(traffic, testing::Truth(traffic), *schedule), "") << described(traffic);
    for (Index p = 0; p < P_row * P_col; ++p)
      ASSERT_EQ(sends_of(traffic, *schedule, {p / P_col, p % P_col}).size(), as_size(K_row * K_col))
          << described(traffic);
  }
}

TEST(WalkerOtto, AnyLength) {
  testing::Random random(73);
  for (int trial = 0; trial < 500; ++trial) {
    const Index P = 1 + random.below(9), K = 1 + random.below(20), r = 1 + random.below(4), n = 1 + random.below(400);
    const Traffic traffic{point, growth(P, K, r, n, random)};
    const auto schedule = walker_otto_schedule(traffic);
    ASSERT_TRUE(schedule) << described(traffic);
    ASSERT_EQ(testing::fault_in(traffic, testing::Truth(traffic), *schedule), "") << described(traffic);
  }
}

TEST(WalkerOtto, ShrinkingIsGrowingBackwards) {
  const Traffic grows{line(6, 2, 6, 8, 96), point}, shrinks = reversed(grows);
  const Schedule there = walker_otto_schedule(grows).value(), back = walker_otto_schedule(shrinks).value();
  for (Index p = 0; p < 6; ++p) {
    const std::vector<Message> sends = sends_of(grows, there, {p, 0}), receives = receives_of(shrinks, back, {p, 0});
    ASSERT_EQ(sends.size(), receives.size());
    for (std::size_t k = 0; k < sends.size(); ++k) {
      EXPECT_EQ(sends[k].step, receives[k].step);
      EXPECT_EQ(sends[k].peer, receives[k].peer);
    }
  }
}

TEST(WalkerOtto, IsDefinedForMultiplesOnTheSameProcessesOnly) {
  EXPECT_FALSE(walker_otto_schedule({line(4, 2, 4, 3, 100), point}));
  EXPECT_FALSE(walker_otto_schedule({line(4, 2, 5, 4, 100), point}));
  EXPECT_FALSE(walker_otto_schedule({Overlap({2, 4, 0, 1}, {4, 4, 0, 0}, 100), point}));
  EXPECT_TRUE(walker_otto_schedule({Overlap({2, 4, 0, 2}, {4, 4, 3, 2}, 100), point}));
}

// Section 4: r -> lcm(r, s) -> s.
TEST(WalkerOtto, PassesLeadFromAToB) {
  testing::Random random(74);
  int two = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Index P = 1 + random.below(8), n = 1 + random.below(300);
    Axis a = random.axis(P, 1 + random.below(9)), b = random.axis(P, 1 + random.below(9));
    b.first = a.first + random.below(4) * std::lcm(a.block(), b.block());
    const Overlap o = Overlap(a, b, n);
    const std::vector<Overlap> passes = walker_otto_passes(o);
    ASSERT_FALSE(passes.empty()) << described(o);
    EXPECT_EQ(passes.front().a, o.a) << described(o);
    EXPECT_EQ(passes.back().b, o.b) << described(o);
    for (const Overlap& pass : passes) {
      EXPECT_EQ(pass.n, n);
      const Traffic traffic{pass, point};
      const auto schedule = walker_otto_schedule(traffic);
      ASSERT_TRUE(schedule) << described(o);
      ASSERT_EQ(testing::fault_in(traffic, testing::Truth(traffic), *schedule), "") << described(traffic);
    }
    const bool multiple = P == 1 || a.block() % b.block() == 0 || b.block() % a.block() == 0;
    ASSERT_EQ(passes.size(), multiple ? 1u : 2u) << described(o);
    if (multiple) continue;
    EXPECT_EQ(passes[0].b, passes[1].a) << described(o);
    EXPECT_EQ(passes[0].b.block(), std::lcm(o.a.block(), o.b.block())) << described(o);
    ++two;
  }
  EXPECT_GT(two, 50);
  EXPECT_TRUE(walker_otto_passes(line(4, 2, 5, 4, 100)).empty());
  EXPECT_TRUE(walker_otto_passes(Overlap({2, 4, 0, 1}, {3, 4, 0, 0}, 100)).empty());
}

}  // namespace
}  // namespace xredist::core
