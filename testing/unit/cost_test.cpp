// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/cost.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "brute_force.hpp"
#include "checker.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

using testing::described;

Index sum(const std::vector<Index>& longest) { return std::accumulate(longest.begin(), longest.end(), Index{0}); }

// Two senders with blocks of 4, three receivers with blocks of 2, 24 elements: all messages have 4 rows and 7 columns.
// A quarter of a message is one row.
TEST(Cost, LongestOfStepsByHand) {
  const Traffic traffic{testing::line(2, 4, 3, 2, 24), testing::line(1, 1, 1, 1, 7)};
  const Schedule schedule{5, [](Coord p, Coord q) { return Parts{{p.row + q.row, 1}, {4 - p.row, 3}}; }};
  EXPECT_EQ(testing::longest_of_steps(traffic, schedule), (std::vector<Index>{4, 4, 4, 24, 24}));
}

// In whole periods all messages of an edge of the graph are equal. In one dimension, split cuts to an element of a
// period, and equal parts to an element of the matrix; in two dimensions, only algorithms that cut no messages are
// compared.
TEST(Cost, TotalOnTheGraphIsTheTotalOfTheMessages) {
  testing::Random random(42);
  const Network network{1e-6, 1e-7};
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const bool line = trial % 2 == 0;
    const Overlap rows = random.periods(6, 6, 100), cols = random.periods(4, 4, 50);
    const Traffic traffic{rows, line ? point : cols};
    const auto graph = graph_of(traffic);
    for (const std::string_view name : {"optimal", "split", "quantised"}) {
      if (name != "optimal" && !line) continue;
      const auto schedule = find_algorithm(name)->make(traffic, network, {});
      if (!schedule) continue;
      const Index total = sum(testing::longest_of_steps(traffic, *schedule));
      const double weighed = static_cast<double>(total_cost(*graph, *schedule)) * graph->periods();
      const double inexact = name == "quantised" ? static_cast<double>(schedule->count) * graph->periods() : 0;
      EXPECT_NEAR(weighed, static_cast<double>(total), inexact) << name << "\n" << described(traffic);
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace xredist::core
