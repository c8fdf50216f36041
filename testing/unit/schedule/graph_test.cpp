// SPDX-License-Identifier: BSD-3-Clause
// Graphs of axes in special cases. Schedules of random traffics (random_schedules_test, optimal_test) need right ones.
#include "schedule/graph.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "random/brute_force.hpp"
#include "random/random_traffic.hpp"
#include "schedule/checker.hpp"

namespace xredist::core {
namespace {

using testing::described;

// 11 classes, 10 copies of each sender, 3 of each receiver: 330 edges for 79,200 messages.
TEST(WeightedGraph, DoesNotGrowWithTheProcesses) {
  const Overlap o = testing::line(2400, 5, 3600, 7, Index{1} << 40);
  EXPECT_EQ(axis_graph(o).edges.size(), 11u * 10 * 3);
}

// Two messages of a process never have the same step, coloured in stretches or for all pairs at once.
TEST(GraphToColour, LeavesSchedulesProper) {
  testing::Random random(33);
  int stretched = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Overlap rows = any_overlap(random, 30, 12, 600);
    const Traffic traffic{rows, any_overlap(random, 4, 5, 30)};
    const testing::Truth truth(traffic);
    const double most = static_cast<double>(1 + random.below(60));
    stretched += graph_to_colour(rows, most).count > 1;
    ASSERT_EQ(testing::fault_in(traffic, truth, coloured_schedule(traffic, most)), "") << most << described(traffic);
  }
  EXPECT_GT(stretched, 100);
}

// This holds where no pair meets twice and a process has some blocks in each stretch.
TEST(GraphToColour, StretchesCostFewSteps) {
  const Traffic traffic{testing::line(640, 30, 640, 7, 130'000), point};
  const Index stretches = graph_to_colour(traffic.rows, 5500).count;
  EXPECT_EQ(stretches, 5);
  EXPECT_LE(coloured_schedule(traffic, 5500).count, coloured_schedule(traffic).count + 3 * stretches);
}

// Rows and columns are heavier on opposite sides, and the columns have too many edges to tabulate: a class for each
// pair, and seven classes of eight with a hundred copies on either side.
TEST(ColouredSchedule, CutsLargeAxesByArithmetic) {
  const Overlap rows = testing::line(1, 3, 2, 1, 2);
  for (const Overlap& cols : {testing::line(300, 1, 257, 300, 300 * 257), testing::line(800, 1, 792, 7, 554'400)}) {
    ASSERT_GT(axis_edges(cols), 1 << 16);
    if (testing::slow_build && cols.a.procs > 300) continue;
    for (const Traffic& traffic : {Traffic{rows, cols}, Traffic{reversed(rows), reversed(cols)}, Traffic{cols, rows}}) {
      const Schedule schedule = coloured_schedule(traffic, 1000);
      EXPECT_EQ(testing::fault_in(traffic, testing::Truth(traffic), schedule), "") << described(traffic);
      const ColourGraph graph = axis_graph(cols);
      EXPECT_EQ(schedule.count, 2 * std::min(graph.max_degree(&Edge::left), graph.max_degree(&Edge::right)));
    }
  }
}

// Returns an axis with `degree` messages for each of `procs` processes, on either side. Process q receives from
// processes q + k for some k, modulo procs, but the senders are numbered in any order.
Overlap regular_axis(testing::Random& random, int procs, int degree) {
  std::vector<int> distances(as_size(procs)), numbers(as_size(procs)), owners;
  std::iota(distances.begin(), distances.end(), 0);
  std::iota(numbers.begin(), numbers.end(), 0);
  random.shuffle(distances);
  random.shuffle(numbers);
  std::vector<Index> cuts{0};
  for (int k = 0; k < degree; ++k)
    for (int q = 0; q < procs; ++q) {
      owners.push_back(at(numbers, (q + at(distances, k)) % procs));
      cuts.push_back(cuts.back() + 1);
    }
  const Axis cyclic(1, procs, 0, 0);
  return {testing::in_partition(cyclic, cuts, owners), cyclic, cuts.back()};
}

// A bounded colouring of up to 60,000 edges has the minimum number of steps if alternating paths recolour at most
// 250,000 edges. In the first case they recolour over half as many, in the second case up to twice as many.
TEST(ColouredSchedule, RecoloursAtMost250000Edges) {
  testing::Random random(1);
  EXPECT_EQ(coloured_schedule({regular_axis(random, 1500, 30), point}, 100'000).count, 30);
  const Traffic larger{regular_axis(random, 5000, 11), point};
  EXPECT_EQ(coloured_schedule(larger).count, 11);
  EXPECT_GT(coloured_schedule(larger, 100'000).count, 11);
}

}  // namespace
}  // namespace xredist::core
