// SPDX-License-Identifier: BSD-3-Clause
// Schedules that are made without messages of a process to itself, against counts over all pairs of processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "checker.hpp"
#include "plan/plan.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"
#include "schedule/graph.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::line;
using testing::slow_build;

using List = std::vector<int>;

const Network ethernet{2e-5, 8e-9}, slow{1e-7, 1e-6};

Index places(const Overlap& rows, const Overlap& cols, const Axis Overlap::*side) {
  return (rows.*side).procs * (cols.*side).procs;
}
List ranks_from(int first, Index count) {
  List ranks(as_size(count));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

// Both grids on the same processes in the same order, in another, or on some others.
struct Placed {
  List a, b;

  Placed(const Traffic& t, testing::Random& random) {
    a = ranks_from(3, places(t.rows, t.cols, &Overlap::a));
    b = ranks_from(3 + static_cast<int>(random.below(4) == 0 ? random.below(4) : 0),
                   places(t.rows, t.cols, &Overlap::b));
    if (random.below(2) == 0)
      for (std::size_t k = b.size(); k > 1; --k) std::swap(b[k - 1], at(b, random.below(static_cast<Index>(k))));
  }
  Ranks ranks() const { return {a, b}; }
};

// The most messages and elements that one process sends to others, or receives from others.
Bounds least_of(const Traffic& t, const testing::Truth& truth, const Ranks& ranks) {
  std::vector<Bounds> sends(as_size(places(t.rows, t.cols, &Overlap::a)), {0, 0});
  std::vector<Bounds> receives(as_size(places(t.rows, t.cols, &Overlap::b)), {0, 0});
  for (Coord p{0, 0}; p.row < t.rows.a.procs; ++p.row)
    for (p.col = 0; p.col < t.cols.a.procs; ++p.col)
      for (Coord q{0, 0}; q.row < t.rows.b.procs; ++q.row)
        for (q.col = 0; q.col < t.cols.b.procs; ++q.col) {
          const Index elements = truth.rows(p.row, q.row) * truth.cols(p.col, q.col);
          if (elements == 0 || testing::same_process(t, ranks, p, q)) continue;
          for (Bounds* process :
               {&at(sends, p.row * t.cols.a.procs + p.col), &at(receives, q.row * t.cols.b.procs + q.col)}) {
            ++process->steps;
            process->elements += elements;
          }
        }
  Bounds most{0, 0};
  for (const auto* side : {&sends, &receives})
    for (const Bounds& process : *side)
      most = {std::max(most.steps, process.steps), std::max(most.elements, process.elements)};
  return most;
}

Index total(const Traffic& traffic, const Schedule& schedule, const Ranks& ranks) {
  const std::vector<Index> longest = testing::longest_of_steps(traffic, schedule, ranks);
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

// Calls check(traffic, truth, ranks) for axes and grids, of whole periods or any length.
template <class Check>
void for_random(unsigned seed, bool whole_periods, Check check) {
  testing::Random random(seed);
  for (int trial = 0; trial < (slow_build ? 100 : 1000) && !::testing::Test::HasFailure(); ++trial) {
    const auto axis = [&](Index procs, Index longest) {
      return whole_periods ? random.periods(procs, 8, longest) : random.any_overlap(procs, 8, longest);
    };
    const Overlap rows = trial % 2 == 0 ? axis(10, 300) : axis(4, 100);
    const Traffic traffic{rows, trial % 2 == 0 ? point : axis(4, 100)};
    const Placed placed(traffic, random);
    SCOPED_TRACE(described(traffic) + "\nA " + ::testing::PrintToString(placed.a) + " B " +
                 ::testing::PrintToString(placed.b));
    check(traffic, testing::Truth(traffic), placed.ranks());
  }
}

// Every message between different processes once, in steps in which no process sends or receives two of them, and the
// same on both sides; the messages to oneself whole.
TEST(WithoutOwn, SchedulesAreProperAndMoveEverything) {
  for (const bool whole_periods : {false, true})
    for_random(71, whole_periods, [](const Traffic& traffic, const testing::Truth& truth, const Ranks& ranks) {
      for (const Algorithm& algorithm : algorithms())
        for (const Network& network : {ethernet, slow}) {
          const auto schedule = algorithm.make(traffic, network, ranks);
          if (!schedule) continue;
          const testing::Ports ports = algorithm.name == "rank" ? testing::Ports::unlimited : testing::Ports::one;
          EXPECT_EQ(testing::fault_in(traffic, truth, *schedule, ports, ranks), "") << algorithm.name;
        }
    });
}

TEST(WithoutOwn, OptimalHasTheLeastNumberOfSteps) {
  int fewer = 0, as_many = 0;
  for_random(72, false, [&](const Traffic& traffic, const testing::Truth& truth, const Ranks& ranks) {
    const Index least = least_of(traffic, truth, ranks).steps;
    EXPECT_EQ(optimal_schedule(traffic, ranks).count, least);
    EXPECT_GE(least, truth.steps() - 1);
    ++(least < truth.steps() ? fewer : as_many);
  });
  EXPECT_GT(std::min(fewer, as_many), 20);
}

TEST(WithoutOwn, GraphHasTheBoundsOfMessagesThatTravel) {
  for_random(73, true, [](const Traffic& traffic, const testing::Truth& truth, const Ranks& ranks) {
    const auto graph = graph_of(traffic, ranks);
    const Bounds bounds = bounds_of(*graph), least = least_of(traffic, truth, ranks);
    EXPECT_EQ(bounds.steps, least.steps);
    if (graph->own.empty()) return;
    EXPECT_EQ(static_cast<double>(bounds.elements) * graph->periods(), static_cast<double>(least.elements));
    for (const std::size_t e : graph->own) EXPECT_EQ(graph->lengths()[e], 0);
  });
}

TEST(WithoutOwn, SplitHasTheLeastTotal) {
  int fewer = 0;
  for_random(74, true, [&](const Traffic& traffic, const testing::Truth& truth, const Ranks& ranks) {
    if (traffic.cols.n > 1 || graph_of(traffic, ranks)->own.empty()) return;
    const Index least = least_of(traffic, truth, ranks).elements;
    EXPECT_EQ(total(traffic, split_schedule(traffic, ranks).value(), ranks), least);
    fewer += least < truth.elements();
  });
  EXPECT_GT(fewer, 20);
}

// Sums over all cases: in a single case the search for a cheaper schedule may not pay off.
TEST(WithoutOwn, DefaultCostsLessThanWithOwnMessages) {
  int cases = 0;
  double without_own = 0, with_own = 0;
  for_random(75, true, [&](const Traffic& traffic, const testing::Truth&, const Ranks& ranks) {
    if (graph_of(traffic, ranks)->own.empty()) return;
    const Algorithm& algorithm = *find_algorithm("default");
    const auto cost = [&](const Schedule& schedule) {
      return slow.alpha * static_cast<double>(schedule.count) +
             slow.beta * static_cast<double>(total(traffic, schedule, ranks));
    };
    ++cases;
    without_own += cost(algorithm.make(traffic, slow, ranks).value());
    with_own += cost(algorithm.make(traffic, slow, {}).value());
  });
  EXPECT_GT(cases, slow_build ? 10 : 100);
  EXPECT_LT(without_own, 0.98 * with_own);
}

TEST(WithoutOwn, DisjointGridsChangeNothing) {
  for_random(76, false, [](const Traffic& t, const testing::Truth&, const Ranks& ranks) {
    const List others = ranks_from(1000, std::ssize(ranks.b));
    for (const Algorithm& algorithm : algorithms()) {
      const auto with = algorithm.make(t, ethernet, {ranks.a, others}), without = algorithm.make(t, ethernet, {});
      ASSERT_EQ(with.has_value(), without.has_value());
      if (!with) continue;
      EXPECT_EQ(with->count, without->count) << algorithm.name;
      const auto steps_of = [&](const Schedule& schedule) {
        List steps;
        for (Coord p{0, 0}; p.row < t.rows.a.procs; ++p.row)
          for (p.col = 0; p.col < t.cols.a.procs; ++p.col)
            for (const Message& m : sends_of(t, schedule, p))
              for (const Index x : {m.step, m.rows.begin, m.cols.begin, m.elements()})
                steps.push_back(static_cast<int>(x));
        return steps;
      };
      EXPECT_EQ(steps_of(*with), steps_of(*without)) << algorithm.name;
    }
  });
}

// Every axis graph has each message once as an edge, and finds it.
TEST(WithoutOwn, WholeAxisGraphsHaveAnEdgeForEachMessage) {
  testing::Random random(77);
  for (int trial = 0; trial < 500 && !HasFailure(); ++trial) {
    const Overlap o = random.any_overlap(12, 8, 400);
    const AxisGraph graph = whole_axis_graph(o);
    EXPECT_EQ(graph.lefts, o.a.procs);
    EXPECT_EQ(graph.rights, o.b.procs);
    std::set<std::pair<int, int>> pairs;
    for (const Edge& e : graph.edges) pairs.insert({e.left, e.right});
    EXPECT_EQ(pairs.size(), graph.edges.size());
    const auto whole = static_cast<double>(o.n) / graph.periods;
    for (Index p = 0; p < o.a.procs; ++p)
      for (const Partner& partner : partners(Overlap(o.a, o.b, static_cast<Index>(whole + 0.5)), p)) {
        const std::size_t e = graph.edge(p, partner.peer);
        ASSERT_LT(e, graph.edges.size());
        EXPECT_EQ(graph.edges[e], (Edge{static_cast<int>(p), static_cast<int>(partner.peer)}));
        EXPECT_EQ(graph.lengths[e], partner.length);
        pairs.erase({static_cast<int>(p), static_cast<int>(partner.peer)});
      }
    EXPECT_TRUE(pairs.empty());
    ASSERT_FALSE(HasFailure()) << described({o, point});
  }
}

Plan plan_of(const Layout& a, const Layout& b, Index n, const List& ranks_a, const List& ranks_b, int me) {
  Options options;
  options.route = Options::direct;
  return make_plan(redistribution_of(a, b, n, n, {}, 8), ranks_a, ranks_b, me, options, {});
}

TEST(WithoutOwn, StepsOfPlans) {
  const auto steps = [](Index Pr, Index Pc, Index r, Index Qr, Index Qc, Index s, int first) {
    const Layout a{{r, Pr, 0, 0}, {r, Pc, 0, 0}}, b{{s, Qr, 0, 0}, {s, Qc, 0, 0}};
    const List ranks_a = ranks_from(0, Pr * Pc), ranks_b = ranks_from(first, Qr * Qc);
    return plan_of(a, b, 960, ranks_a, ranks_b, 0).steps;
  };
  EXPECT_EQ(steps(4, 1, 3, 4, 1, 5, 4), 4);  // on other processes
  EXPECT_EQ(steps(4, 1, 3, 4, 1, 5, 0), 3);
  EXPECT_EQ(steps(4, 1, 3, 4, 1, 5, 1), 4);  // process 0 has nothing in B
  EXPECT_EQ(steps(2, 2, 64, 2, 2, 48, 0), 3);
  EXPECT_EQ(steps(2, 4, 64, 2, 4, 48, 0), 7);
  EXPECT_EQ(steps(2, 4, 64, 2, 4, 64, 0), 0);  // nothing travels
}

}  // namespace
}  // namespace xredist::core
