// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/graph.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "brute_force.hpp"
#include "checker.hpp"
#include "random_traffic.hpp"

namespace xredist::core {
namespace {

using testing::described;

// The messages of a process are different edges of one node, and a node has as many edges as each of its processes has
// messages. So a proper colouring of the graph is a proper colouring of the messages. In one period, all messages of an
// edge have the same length.
void expect_faithful(const AxisGraph& graph, const testing::Volumes& volumes) {
  const auto left = [&](std::size_t e) { return as_size(graph.edges[e].left); };
  const auto right = [&](std::size_t e) { return as_size(graph.edges[e].right); };
  const auto check = [&](Index nodes, Index peers, auto edge, auto node, const std::vector<int>& degree) {
    std::vector<Index> seen(graph.edges.size(), -1);
    for (Index p = 0; p < nodes; ++p) {
      Index messages = 0, home = -1;
      for (Index q = 0; q < peers; ++q) {
        const auto e = edge(p, q);
        if (!e) continue;
        ASSERT_LT(*e, graph.edges.size());
        ASSERT_NE(seen[*e], p) << "two messages of " << p << " have one edge";
        seen[*e] = p;
        if (messages++ == 0) home = static_cast<Index>(node(*e));
        ASSERT_EQ(static_cast<Index>(node(*e)), home);
      }
      if (messages > 0) {
        ASSERT_EQ(messages, at(degree, home));
      }
    }
  };
  const auto edge = [&](Index p, Index q) -> std::optional<std::size_t> {
    if (volumes(p, q) == 0) return std::nullopt;
    return graph.edge(p, q);
  };
  check(volumes.lefts(), volumes.rights(), edge, left, graph.left_degree);
  check(
      volumes.rights(), volumes.lefts(), [&](Index q, Index p) { return edge(p, q); }, right, graph.right_degree);
  for (Index p = 0; p < volumes.lefts(); ++p)
    for (Index q = 0; q < volumes.rights(); ++q) {
      const auto e = edge(p, q);
      EXPECT_EQ(volumes(p, q), e ? graph.lengths[*e] : 0);
    }
}

TEST(AxisGraph, StandsForAllMessages) {
  testing::Random random(31);
  for (int trial = 0; trial < 3000; ++trial) {
    const Overlap o = random.any_overlap(12, 12, 400);
    const Index cycle = std::min(period(o), o.n);  // what comes after it adds to messages, but no new ones
    const testing::Volumes volumes = testing::volumes({o.a, o.b, cycle});
    const testing::Most most = testing::most_of(volumes);
    const AxisGraph graph = axis_graph(o);
    expect_faithful(graph, volumes);
    EXPECT_DOUBLE_EQ(graph.periods, static_cast<double>(o.n) / static_cast<double>(cycle));
    EXPECT_EQ(graph.max_left_degree(), most.sends);
    EXPECT_EQ(graph.max_right_degree(), most.receives);
    EXPECT_GE(axis_edges(o), static_cast<double>(graph.edges.size()));
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
      const auto [p, q] = graph.samples[e];
      EXPECT_GT(volumes(p, q), 0);
      EXPECT_EQ(graph.edge(p, q), e);
    }
    ASSERT_FALSE(HasFailure()) << described(o);
  }
}

// 11 classes, 10 copies of each sender, 3 of each receiver: 330 edges for 79,200 messages.
TEST(AxisGraph, DoesNotGrowWithTheProcesses) {
  const Overlap o = testing::line(2400, 5, 3600, 7, Index{1} << 40);
  EXPECT_EQ(axis_graph(o).edges.size(), 11u * 10 * 3);
}

// Two messages of a process never have the same step, coloured in stretches or for all pairs at once.
TEST(GraphToColour, LeavesSchedulesProper) {
  testing::Random random(33);
  int stretched = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Overlap rows = random.any_overlap(30, 12, 600);
    const Traffic traffic{rows, random.any_overlap(4, 5, 30)};
    const testing::Truth truth(traffic);
    const double most = static_cast<double>(1 + random.below(60));
    stretched += graph_to_colour(rows, most).stretches > 1;
    ASSERT_EQ(testing::fault_in(traffic, truth, coloured_schedule(traffic, most)), "") << most << described(traffic);
  }
  EXPECT_GT(stretched, 100);
}

// This holds where no pair meets twice and a process has some blocks in each stretch.
TEST(GraphToColour, StretchesCostFewSteps) {
  const Traffic traffic{testing::line(640, 30, 640, 7, 130'000), point};
  const Index stretches = graph_to_colour(traffic.rows, 5500).stretches;
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
      EXPECT_EQ(schedule.count, 2 * std::min(axis_graph(cols).max_left_degree(), axis_graph(cols).max_right_degree()));
    }
  }
}

// Returns, for each sender, the receivers that share an element with it.
TEST(GraphToColour, FindsAllMessages) {
  testing::Random random(34);
  for (int trial = 0; trial < 2000; ++trial) {
    const Overlap o = random.any_overlap(12, 150, 400);
    if (o.n >= period(o)) continue;
    EXPECT_EQ(graph_to_colour(o, 1e9).edges, axis_graph(o).edges) << described({o, point});
  }
}

TEST(Graph, NumbersEdgesAndNodesRowMajor) {
  testing::Random random(32);
  for (int trial = 0; trial < 300; ++trial) {
    const Overlap rows = random.periods(5, 8, 60);
    const Traffic traffic{rows, random.periods(5, 8, 60)};
    const auto graph = graph_of(traffic);
    const testing::Truth truth(traffic);
    EXPECT_EQ(graph->degree(), truth.steps());
    const std::vector<Edge> edges = graph->list();
    const std::vector<Index> lengths = graph->lengths();
    ASSERT_EQ(edges.size(), graph->edges());
    for (std::size_t e = 0; e < graph->rows.edges.size(); ++e)
      for (std::size_t f = 0; f < graph->cols.edges.size(); ++f) {
        const auto [p_row, q_row] = graph->rows.samples[e];
        const auto [p_col, q_col] = graph->cols.samples[f];
        const std::size_t number = graph->edge({p_row, p_col}, {q_row, q_col});
        EXPECT_EQ(number, e * graph->cols.edges.size() + f);
        EXPECT_EQ(edges[number].left, graph->rows.edges[e].left * graph->cols.lefts + graph->cols.edges[f].left);
        EXPECT_EQ(edges[number].right, graph->rows.edges[e].right * graph->cols.rights + graph->cols.edges[f].right);
        EXPECT_EQ(static_cast<double>(lengths[number]) * graph->periods(),
                  static_cast<double>(truth.rows(p_row, q_row) * truth.cols(p_col, q_col)));
      }
    ASSERT_FALSE(HasFailure()) << described(traffic);
  }
}

}  // namespace
}  // namespace xredist::core
