// SPDX-License-Identifier: BSD-3-Clause
// Schedules and their graphs for random traffics, against counts over all pairs of processes. Both grids may have the
// same processes: then no message of a process to itself travels.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "random/random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/checker.hpp"
#include "schedule/choose.hpp"
#include "schedule/classes.hpp"
#include "schedule/cost.hpp"
#include "schedule/graph.hpp"
#include "schedule/split.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::ethernet;
using testing::slow;
using testing::slow_build;

Index places(const Traffic& t, const Axis Overlap::*side) { return (t.rows.*side).procs * (t.cols.*side).procs; }

// A traffic, its owners by brute force, and the ranks of the grids: on the same processes in the same order or in
// another, on some others, or without ranks.
struct Case {
  Traffic traffic;
  testing::Truth truth;
  std::vector<int> a, b;

  Case(testing::Random& random, Traffic t) : traffic(std::move(t)), truth(traffic) {
    const Index kind = random.below(5);
    if (kind == 4) return;
    const Index first_of_b[] = {3, 3, random.below(4), 1000};
    a = testing::ranks_from(3, places(traffic, &Overlap::a));
    b = testing::ranks_from(static_cast<int>(first_of_b[kind]), places(traffic, &Overlap::b));
    if (random.below(2) == 0)
      for (std::size_t k = b.size(); k > 1; --k) std::swap(b[k - 1], at(b, random.below(static_cast<Index>(k))));
  }
  Ranks ranks() const { return {a, b}; }

  // The most messages and elements that one process sends to others, or receives from others.
  Bounds least() const {
    std::vector<Bounds> sends(as_size(places(traffic, &Overlap::a)), {0, 0});
    std::vector<Bounds> receives(as_size(places(traffic, &Overlap::b)), {0, 0});
    const auto& [rows, cols] = traffic;
    for (Coord p{0, 0}; p.row < rows.a.procs; ++p.row)
      for (p.col = 0; p.col < cols.a.procs; ++p.col)
        for (Coord q{0, 0}; q.row < rows.b.procs; ++q.row)
          for (q.col = 0; q.col < cols.b.procs; ++q.col) {
            const Index elements = truth.rows(p.row, q.row) * truth.cols(p.col, q.col);
            if (elements == 0 || testing::same_process(traffic, ranks(), p, q)) continue;
            for (Bounds* process :
                 {&at(sends, p.row * cols.a.procs + p.col), &at(receives, q.row * cols.b.procs + q.col)})
              ++process->steps, process->elements += elements;
          }
    Bounds most{0, 0};
    for (const auto* side : {&sends, &receives})
      for (const Bounds& process : *side)
        most = {std::max(most.steps, process.steps), std::max(most.elements, process.elements)};
    return most;
  }

  Index total(const Schedule& schedule) const {
    const std::vector<Index> longest = testing::longest_of_steps(traffic, schedule, ranks());
    return std::accumulate(longest.begin(), longest.end(), Index{0});
  }
};

// Calls check(case) for axes and grids, of whole periods or any length.
template <class Check>
void for_random(unsigned seed, bool whole_periods, Check check) {
  testing::Random random(seed);
  for (int trial = 0; trial < (slow_build ? 100 : 1000) && !::testing::Test::HasFailure(); ++trial) {
    const auto axis = [&](Index procs, Index longest) {
      return whole_periods ? random_periods(random, procs, 8, longest) : any_overlap(random, procs, 8, longest);
    };
    const Overlap rows = trial % 2 == 0 ? axis(10, 300) : axis(4, 100);
    const Case c(random, {rows, trial % 2 == 0 ? point : axis(4, 100)});
    SCOPED_TRACE(described(c.traffic) + "\nA " + ::testing::PrintToString(c.a) + " B " + ::testing::PrintToString(c.b));
    check(c);
  }
}

// Every message between different processes once, in steps in which no process sends or receives two of them, and the
// same on both sides; the messages to oneself whole.
TEST(RandomSchedules, MoveEverything) {
  std::set<std::string_view> made;
  for (const bool whole_periods : {false, true})
    for_random(71, whole_periods, [&](const Case& c) {
      for (const Algorithm& algorithm : algorithms())
        for (const Network& network : {ethernet, slow}) {
          const auto schedule = algorithm.make(c.traffic, network, c.ranks());
          if (!schedule) continue;
          made.insert(algorithm.name);
          const testing::Ports ports = algorithm.name == "rank" ? testing::Ports::unlimited : testing::Ports::one;
          EXPECT_EQ(testing::fault_in(c.traffic, c.truth, *schedule, ports, c.ranks()), "") << algorithm.name;
        }
    });
  EXPECT_EQ(made.size(), algorithms().size());
}

TEST(RandomSchedules, OptimalHasTheLeastNumberOfSteps) {
  int fewer = 0, as_many = 0;
  for_random(72, false, [&](const Case& c) {
    const Index least = c.least().steps;
    EXPECT_EQ(optimal_schedule(c.traffic, c.ranks()).count, least);
    EXPECT_GE(least, c.truth.steps() - 1);
    ++(least < c.truth.steps() ? fewer : as_many);
  });
  EXPECT_GT(std::min(fewer, as_many), 20);
}

// Many processes with few messages, on axes shorter than a period: the default takes the schedule of whole periods
// where that is as good (T37). The schedule is proper and costs at most 2 % more than the optimal one of the messages.
TEST(RandomSchedules, DefaultOfManyProcessesCostsNoMoreThanOptimal) {
  testing::Random random(37);
  int longer = 0;
  for (int trial = 0; trial < (slow_build ? 20 : 100) && !HasFailure(); ++trial) {
    const Index P = 130 + random.below(300), times = 1 + random.below(3);
    const Index r = 1 + random.below(4), s = r * (1 + random.below(4));
    const Overlap axis(Axis(r, P, random.below(P), 0), Axis(s, P * times, random.below(P), 0),
                       150 + random.below(P * s));
    const bool is_row = random.below(2) == 0;
    const Overlap other = is_row ? testing::line(3, 1, 3, 1, 9) : testing::line(3, 1, 2, 1, 12);
    const Traffic traffic = is_row ? Traffic{axis, other} : Traffic{other, axis};
    const testing::Truth truth(traffic);
    const Schedule optimal = optimal_schedule(traffic);
    for (const Network& network : {ethernet, slow}) {
      const auto cost = [&](const Schedule& schedule) {
        const std::vector<Index> longest = testing::longest_of_steps(traffic, schedule);
        const Index total = std::accumulate(longest.begin(), longest.end(), Index{0});
        return network.alpha * static_cast<double>(schedule.count) + network.beta * static_cast<double>(total);
      };
      const Schedule schedule = default_schedule(traffic, network);
      ASSERT_EQ(testing::fault_in(traffic, truth, schedule), "") << described(traffic);
      EXPECT_LE(cost(schedule), 1.02 * cost(optimal)) << described(traffic);
    }
    longer += period(axis) > axis.n && max_partners(in_whole_period(axis).value()) <= max_partners(axis);
  }
  EXPECT_GT(longer, slow_build ? 1 : 10);
}

// The owner of element 0 may have fewer messages than others, also on an axis of whole periods: 22/3 -> 22/11, 11
// and 22.
TEST(RandomSchedules, MessagesOfTheBusiestProcessAreCounted) {
  testing::Random random(49);
  int more_than_first = 0;
  for (int trial = 0; trial < (slow_build ? 200 : 2000); ++trial) {
    const Overlap o = testing::random_periods(random, 12, 9, 2000);
    Index most = 0;
    for (Index p = 0; p < o.a.procs; ++p) most = std::max<Index>(most, std::ssize(partners(o, p)));
    ASSERT_EQ(max_messages(o), most) << described({o, point});
    more_than_first += most > max_partners(o);
  }
  EXPECT_GT(more_than_first, 0);
  EXPECT_EQ(max_messages(testing::line(22, 3, 22, 11, 726)), 22);
  EXPECT_EQ(max_messages(Overlap(std::vector{testing::line(22, 3, 22, 11, 726), testing::line(2, 1, 3, 1, 6)})), 66);
}

TEST(RandomSchedules, GraphHasTheBoundsOfMessagesThatTravel) {
  for_random(73, true, [](const Case& c) {
    const auto graph = graph_of(c.traffic, c.ranks());
    const Bounds bounds = bounds_of(*graph), least = c.least();
    EXPECT_GE(axis_edges(c.traffic.rows), static_cast<double>(axis_graph(c.traffic.rows).edges.size()));
    EXPECT_EQ(bounds.steps, least.steps);
    EXPECT_EQ(static_cast<double>(bounds.elements) * graph->periods(), static_cast<double>(least.elements));
    for (const std::size_t e : graph->own) EXPECT_EQ(graph->lengths()[e], 0);
  });
}

// The cost on the graph is exact. In two dimensions parts of messages are whole rows or columns, so the cost of the
// messages may be larger.
TEST(RandomSchedules, SplitHasTheLeastTotal) {
  int fewer = 0;
  for_random(74, true, [&](const Case& c) {
    const auto graph = graph_of(c.traffic, c.ranks());
    const auto schedule = split_schedule(c.traffic, c.ranks());
    const Index least = c.least().elements;
    ASSERT_TRUE(schedule);
    EXPECT_EQ(static_cast<double>(total_cost(*graph, *schedule)) * graph->periods(), static_cast<double>(least));
    if (c.traffic.cols.n > 1) return;
    EXPECT_EQ(c.total(*schedule), least);
    fewer += least < c.truth.elements();
  });
  EXPECT_GT(fewer, 20);
}

TEST(RandomSchedules, QuantisedStaysWithinItsBound) {
  testing::Random random(65);
  for_random(66, true, [&](const Case& c) {
    const Index quantum = 1 + random.below(40);
    const auto graph = graph_of(c.traffic);
    const auto schedule = quantised_schedule(graph, static_cast<double>(quantum));
    ASSERT_TRUE(schedule);
    EXPECT_EQ(testing::fault_in(c.traffic, c.truth, *schedule), "");
    EXPECT_GE(schedule->count, c.truth.steps());
    EXPECT_LE(schedule->count, c.truth.elements() / quantum + c.truth.steps()) << quantum;
    if (c.traffic.cols.n > 1) return;  // the smallest part is a row or a column
    const std::vector<Index> longest = testing::longest_of_steps(c.traffic, *schedule);
    EXPECT_LE(std::ranges::max(longest), quantum);
    const auto total = static_cast<double>(std::accumulate(longest.begin(), longest.end(), Index{0}));
    // Parts are equal to one element of the matrix.
    const double weighed = static_cast<double>(total_cost(*graph, *schedule)) * graph->periods();
    EXPECT_NEAR(weighed, total, static_cast<double>(schedule->count) * graph->periods());
  });
}

TEST(RandomSchedules, QuantisedIsOptimalWhereTheQuantumIsTheLongestMessage) {
  for_random(67, false, [](const Case& c) {
    const auto all = static_cast<double>(c.traffic.rows.n * c.traffic.cols.n);
    const auto schedule = quantised_schedule(graph_of(c.traffic), all);
    ASSERT_TRUE(schedule);
    EXPECT_EQ(schedule->count, c.truth.steps());
    EXPECT_EQ(testing::fault_in(c.traffic, c.truth, *schedule), "");
  });
}

// Sums over all cases: in a single case the search for a cheaper schedule may not pay off.
TEST(RandomSchedules, DefaultCostsLessThanWithOwnMessages) {
  int cases = 0;
  double without_own = 0, with_own = 0;
  for_random(75, true, [&](const Case& c) {
    if (graph_of(c.traffic, c.ranks())->own.empty()) return;
    const auto cost = [&](const Schedule& schedule) {
      return slow.alpha * static_cast<double>(schedule.count) + slow.beta * static_cast<double>(c.total(schedule));
    };
    ++cases;
    without_own += cost(default_schedule(c.traffic, slow, c.ranks()));
    with_own += cost(default_schedule(c.traffic, slow));
  });
  EXPECT_GT(cases, slow_build ? 10 : 100);
  EXPECT_LT(without_own, 0.98 * with_own);
}

}  // namespace
}  // namespace xredist::core
