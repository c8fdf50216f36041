// SPDX-License-Identifier: BSD-3-Clause
// The messages along one axis as a bipartite graph, in which an edge may stand for many messages.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "layout/overlap.hpp"
#include "schedule/colour_edges.hpp"

namespace xredist::core {

/// The messages along one axis, for colouring. For an axis of at least a period this is the contracted graph
/// (THEORY.md, T5): its nodes and edges stand for processes and messages that are alike, and every proper colouring of
/// it is a proper colouring of the whole graph. Otherwise the graph has a node for each process and an edge for each
/// message.
struct ColourGraph {
  int lefts = 0, rights = 0;
  std::vector<Edge> edges = {};
  std::vector<int> left_degree = {}, right_degree = {};
  /// Returns the edge of the message p -> q. If there is none: edges.size(), or for a contracted graph any edge.
  std::function<std::size_t(Index p, Index q)> edge = {};

  /// Return the degrees of the nodes on one side, and their maximum.
  const std::vector<int>& degrees(int Edge::*side) const { return side == &Edge::left ? left_degree : right_degree; }
  int max_degree(int Edge::*side) const { return std::ranges::max(degrees(side)); }
};

/// The messages along one axis, with their lengths.
struct WeightedGraph : ColourGraph {
  std::vector<Index> lengths = {};                    ///< of each edge's messages, in elements of one period
  std::vector<std::pair<Index, Index>> samples = {};  ///< for each edge, sender and receiver of one of its messages
  double periods = 1;                                 ///< factor of the lengths
};

/// An axis that is cut into stretches of equal graphs, with other processes at the nodes (THEORY.md, T19).
struct Stretches {
  ColourGraph first;
  Index count = 1;
  Index left_shift = 0, right_shift = 0;  ///< blocks of a stretch: node i of the first is i + h shift of stretch h

  /// Returns the edge of the message p -> q in the first stretch that has the message: edge e of stretch h has the
  /// number h * first.edges.size() + e.
  std::size_t edge(Index p, Index q) const;
};

/// Returns the graph of an axis, contracted if the axis is at least a period long.
WeightedGraph axis_graph(const Overlap& o);

/// Returns the graph with a node for each process and an edge for each message, for an axis of any length. If the axis
/// is not whole periods long, lengths are those of the whole axis; they stay those of a period if its rest has very
/// many pieces (limits::edges_to_weigh).
WeightedGraph whole_axis_graph(const Overlap& o);

/// Returns the graph of an axis for colouring. If `max_edges` is set, an axis that is shorter than a period and has
/// more pieces is cut into stretches, unless these cost too many steps (THEORY.md, T19).
Stretches graph_to_colour(const Overlap& o, std::optional<double> max_edges);

/// Returns the number of edges of axis_graph(o), or an upper bound (THEORY.md, T14), without building the graph.
double axis_edges(const Overlap& o);

}  // namespace xredist::core
