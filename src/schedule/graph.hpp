// SPDX-License-Identifier: BSD-3-Clause
// The messages of a traffic as a bipartite graph, in which an edge may stand for many messages.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "schedule/colour_edges.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The messages along one axis. For an axis of at least a period this is the contracted graph (THEORY.md, T5): its
/// nodes and edges stand for processes and messages that are alike, and every proper colouring of it is a proper
/// colouring of the whole graph. Otherwise the graph has a node for each process and an edge for each message of the
/// first stretch of the axis (T19); edge e of stretch h has the number h * edges.size() + e.
struct AxisGraph {
  int lefts = 0, rights = 0;
  std::vector<Edge> edges = {};
  std::vector<Index> lengths = {};  ///< of each edge's messages, in elements of one period
  std::vector<int> left_degree = {}, right_degree = {};
  std::vector<std::pair<Index, Index>> samples = {};  ///< for each edge, sender and receiver of one of its messages
  double periods = 1;                                 ///< factor of the lengths
  std::function<std::size_t(Index p, Index q)> edge = {};  ///< returns the edge of the message p -> q
  Index stretches = 1;

  /// Return the degrees of the nodes on one side, and their maximum.
  const std::vector<int>& degrees(int Edge::*side) const { return side == &Edge::left ? left_degree : right_degree; }
  int max_degree(int Edge::*side) const { return std::ranges::max(degrees(side)); }
};

/// Returns the graph of an axis, contracted if the axis is at least a period long.
AxisGraph axis_graph(const Overlap& o);

/// Returns the graph with a node for each process and an edge for each message, for an axis of any length.
AxisGraph whole_axis_graph(const Overlap& o);

/// Returns the graph of an axis for colouring: if the axis is shorter than a period, without lengths and samples. An
/// axis with more than `max_edges` pieces is cut into stretches, unless these cost too many steps (THEORY.md, T19).
AxisGraph graph_to_colour(const Overlap& o, double max_edges);

/// Both axes. Edge e of the rows and edge f of the columns make edge e * cols.edges.size() + f; nodes are numbered
/// likewise. Schedules share ownership of their graph.
struct Graph {
  AxisGraph rows, cols;
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
  std::vector<Edge> list() const;
  /// Returns the length of each edge; 0 for own messages.
  std::vector<Index> lengths() const;
};

/// Returns the number of edges of axis_graph(o), or an upper bound (THEORY.md, T14), without building the graph.
double axis_edges(const Overlap& o);

/// Returns the graph of a traffic. If there are few messages, and if Delta falls by it, messages to oneself take no
/// step and each message is an edge (THEORY.md, T32).
std::shared_ptr<const Graph> graph_of(const Traffic& traffic, const Ranks& ranks = {});

/// Returns a proper colouring with degree() colours; own messages have colour 0. By length: edges are coloured in
/// descending order of length, so that the sum of the longest message of each colour is less.
enum class ColourOrder { any, by_length };
std::vector<int> colours_of(const Graph& graph, ColourOrder order = ColourOrder::any);

/// Returns the schedule whose steps are the colours.
Schedule schedule_from_colours(std::shared_ptr<const Graph> graph, std::vector<int> colours);

/// Returns the schedule that gives edge e of the graph the parts table[e], and own messages step 0.
Schedule schedule_from_table(std::shared_ptr<const Graph> graph, Index count, std::vector<Parts> table);

}  // namespace xredist::core
