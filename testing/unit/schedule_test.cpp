#include "schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "brute_force.hpp"

namespace xredist {
namespace {

std::string described(const Overlap& o) {
  const auto axis = [](const Axis& x) {
    return std::to_string(x.procs) + " procs, block " + std::to_string(x.block) + ", source " +
           std::to_string(x.source) + ", first " + std::to_string(x.first);
  };
  return axis(o.a) + " -> " + axis(o.b) + ", n " + std::to_string(o.n);
}

// Fewest steps that any schedule can have.
Index least_steps(const Traffic& traffic) {
  const auto rows = testing::degrees(testing::volumes(traffic.rows));
  const auto cols = testing::degrees(testing::volumes(traffic.cols));
  return std::max(rows.left * cols.left, rows.right * cols.right);
}

// No process sends or receives twice in a step; every message comes once, with its length; senders
// and receivers tell the same story. Returns the number of messages.
std::size_t expect_proper(const Traffic& traffic, const Schedule& schedule) {
  auto rows = testing::volumes(traffic.rows), cols = testing::volumes(traffic.cols);
  const auto key = [](Index step, Coord p, Coord q) { return std::tuple(step, p.row, p.col, q.row, q.col); };
  std::set<std::tuple<Index, Index, Index, Index, Index>> sent, received;
  Index elements = 0;

  for (Index row = 0; row < traffic.rows.a.procs; ++row)
    for (Index col = 0; col < traffic.cols.a.procs; ++col) {
      Index last = -1;
      for (const Message& m : sends_of(traffic, schedule, {row, col})) {
        EXPECT_GT(m.step, last) << "two messages sent in one step";
        EXPECT_LT(m.step, schedule.count);
        last = m.step;
        EXPECT_EQ(m.rows.end - m.rows.begin, (rows[{row, m.peer.row}]));
        EXPECT_EQ(m.cols.end - m.cols.begin, (cols[{col, m.peer.col}]));
        elements += m.elements();
        sent.insert(key(m.step, {row, col}, m.peer));
      }
    }
  for (Index row = 0; row < traffic.rows.b.procs; ++row)
    for (Index col = 0; col < traffic.cols.b.procs; ++col) {
      Index last = -1;
      for (const Message& m : receives_of(traffic, schedule, {row, col})) {
        EXPECT_GT(m.step, last) << "two messages received in one step";
        last = m.step;
        received.insert(key(m.step, m.peer, {row, col}));
      }
    }
  EXPECT_EQ(sent, received);
  EXPECT_EQ(elements, traffic.rows.n * traffic.cols.n);
  return sent.size();
}

Overlap whole_line() { return overlap({1, 1, 0, 0}, {1, 1, 0, 0}, 1); }

// Desprez et al. 1998, section 2: the numbers of steps that they state.
TEST(Schedule, ExamplesOfDesprezEtAl) {
  const auto steps = [](Index P, Index Q, Index r, Index s) {
    const Traffic traffic{whole_line(), overlap({r, P, 0, 0}, {s, Q, 0, 0}, 10'000)};
    const Schedule schedule = optimal_schedule(traffic);
    expect_proper(traffic, schedule);
    return schedule.count;
  };
  EXPECT_EQ(steps(16, 16, 3, 5), 7);
  EXPECT_EQ(steps(16, 16, 7, 11), 16);
  EXPECT_EQ(steps(15, 15, 3, 5), 10);
  EXPECT_EQ(steps(12, 8, 4, 3), 4);
  EXPECT_EQ(steps(15, 6, 2, 3), 10);
}

TEST(Schedule, OptimalForAllSmallOneDimensionalCases) {
  for (Index P = 1; P <= 7; ++P)
    for (Index Q = 1; Q <= 7; ++Q)
      for (Index r = 1; r <= 7; ++r)
        for (Index s = 1; s <= 7; ++s) {
          Overlap o = overlap({r, P, 0, 0}, {s, Q, 0, 0}, 1 << 20);
          for (Index n : {period(o), period(o) + 5, Index{11}}) {
            const Traffic traffic{overlap({r, P, 0, 0}, {s, Q, 0, 0}, n), whole_line()};
            const Schedule schedule = optimal_schedule(traffic);
            EXPECT_EQ(schedule.count, least_steps(traffic)) << described(traffic.rows);
            expect_proper(traffic, schedule);
            if (HasFailure()) return;
          }
        }
}

TEST(Schedule, OptimalForRandomTwoDimensionalCases) {
  testing::Random random(5);
  std::size_t messages = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const Traffic traffic{random.overlap(6, 12, 150), random.overlap(6, 12, 150)};
    const Schedule schedule = optimal_schedule(traffic);
    messages += expect_proper(traffic, schedule);
    EXPECT_EQ(schedule.count, least_steps(traffic));
    ASSERT_FALSE(HasFailure()) << "rows: " << described(traffic.rows) << "\ncols: " << described(traffic.cols);
  }
  EXPECT_GT(messages, 10'000u);
}

// Grids of different shape and equal blocks: a product of schedules for each axis would have up to
// 16 times as many steps.
TEST(Schedule, ReshapedGrids) {
  const auto steps = [](Index Pr, Index Pc, Index Qr, Index Qc) {
    const Traffic traffic{overlap({64, Pr, 0, 0}, {64, Qr, 0, 0}, 100'000),
                          overlap({64, Pc, 0, 0}, {64, Qc, 0, 0}, 100'000)};
    return optimal_schedule(traffic).count;
  };
  EXPECT_EQ(steps(1, 256, 16, 16), 16);
  EXPECT_EQ(steps(16, 16, 8, 32), 2);
  EXPECT_EQ(steps(24, 24, 32, 18), 12);
}

// Short on both axes, heavier on opposite sides: exact while the graph is small, and below twice
// the least where it is too large to colour.
TEST(Schedule, ShortMatricesOfAnySize) {
  testing::Random random(6);
  for (int trial = 0; trial < 30; ++trial) {
    const Traffic traffic{random.overlap(40, 40, 1500), random.overlap(40, 40, 1500)};
    const Schedule schedule = coloured_schedule(traffic);
    const Index least = least_steps(traffic);
    EXPECT_GE(schedule.count, least);
    EXPECT_LT(schedule.count, 2 * least);
    expect_proper(traffic, schedule);
    ASSERT_FALSE(HasFailure()) << "rows: " << described(traffic.rows) << "\ncols: " << described(traffic.cols);
  }
}

// The same graph through both constructions.
TEST(Schedule, PeriodicAndExistingAgreeOnTheNumberOfSteps) {
  testing::Random random(7);
  int compared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Traffic traffic{random.overlap(5, 8, 100), random.overlap(5, 8, 100)};
    if (traffic.rows.n < period(traffic.rows) || traffic.cols.n < period(traffic.cols)) continue;
    EXPECT_EQ(periodic_schedule(traffic).count, coloured_schedule(traffic).count);
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace xredist
