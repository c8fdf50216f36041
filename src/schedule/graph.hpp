// SPDX-License-Identifier: BSD-3-Clause
// The messages of a traffic as a bipartite graph: the product of the graphs of both axes.
#pragma once

#include <memory>
#include <vector>

#include "schedule/axis_graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// Returns the edges of both axes together. Edge e of the rows and edge f of the columns make edge
/// e * cols.edges.size() + f; nodes are numbered likewise.
std::vector<Edge> edges_of(const ColourGraph& rows, const ColourGraph& cols);
/// Returns the maximum degree of both axes together.
int degree_of(const ColourGraph& rows, const ColourGraph& cols);

/// Both axes together, numbered as by edges_of(). Schedules share ownership of their graph.
struct Graph {
  WeightedGraph rows, cols;
  std::vector<std::size_t> own = {};  ///< ascending: edges that are messages to oneself and take no step (T32)

  std::size_t edges() const { return rows.edges.size() * cols.edges.size(); }
  int lefts() const { return rows.lefts * cols.lefts; }
  int rights() const { return rows.rights * cols.rights; }
  double periods() const { return rows.periods * cols.periods; }
  /// Returns the maximum degree without own messages: the minimum number of steps.
  int degree() const;
  /// Returns the maximum number of elements at a node, in one period, without own messages.
  Index load() const;
  std::size_t edge(Coord p, Coord q) const;
  std::vector<Edge> list() const { return edges_of(rows, cols); }
  /// Returns the length of each edge; 0 for own messages.
  std::vector<Index> lengths() const;
};

/// Returns the graph of a traffic. If there are few messages, and if Delta falls by it, messages to oneself take no
/// step and each message is an edge (THEORY.md, T32).
std::shared_ptr<const Graph> graph_of(const Traffic& traffic, const Ranks& ranks = {});

/// Returns the nodes of the edge that edge `row` of the rows and edge `col` of the columns make.
inline Edge edge_of(const Graph& graph, std::size_t row, std::size_t col) {
  const Edge &e = graph.rows.edges[row], &f = graph.cols.edges[col];
  return {e.left * graph.cols.lefts + f.left, e.right * graph.cols.rights + f.right};
}

/// Returns a proper colouring with degree() colours; own messages have colour 0. By length: edges are coloured in
/// descending order of length, so that the sum of the longest message of each colour is less.
enum class ColourOrder { any, by_length };
std::vector<int> colours_of(const Graph& graph, ColourOrder order = ColourOrder::any);

/// Calls visit(nodes, part, elements) for the parts of one message of each edge, in the order of the edges, without own
/// messages. `nodes`: the ends of the edge; `elements`: of the part, in one period. The schedule must treat the
/// messages of one edge alike.
template <class Visit>
void visit_parts(const Graph& graph, const Schedule& schedule, const Visit& visit) {
  const WeightedGraph &rows = graph.rows, &cols = graph.cols;
  auto next_own = graph.own.begin();
  for_messages(schedule, rows.samples, cols.samples, [&](std::size_t row, std::size_t col, const Parts& parts) {
    if (next_own != graph.own.end() && *next_own == row * cols.edges.size() + col) {
      ++next_own;
      return;
    }
    const auto length = static_cast<double>(rows.lengths[row] * cols.lengths[col]);
    const Edge nodes = edge_of(graph, row, col);
    if (parts.size() == 1) return visit(nodes, parts.front(), length);
    Index whole = 0;
    for (const Part& part : parts) whole += part.weight;
    for (const Part& part : parts)
      visit(nodes, part, static_cast<double>(part.weight) / static_cast<double>(whole) * length);
  });
}

/// Returns the schedule whose steps are the colours.
Schedule schedule_from_colours(std::shared_ptr<const Graph> graph, std::vector<int> colours);

/// Returns the schedule that gives edge e of the graph the parts table[e], and own messages step 0.
Schedule schedule_from_table(std::shared_ptr<const Graph> graph, Index count, std::vector<Parts> table);

}  // namespace xredist::core
