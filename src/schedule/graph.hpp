// SPDX-License-Identifier: BSD-3-Clause
// The messages of a traffic as a bipartite graph, reduced to what is different in it.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "schedule/colouring.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The messages along one axis. For an axis of at least a period this is the contracted graph (THEORY.md, T5): its
/// nodes and edges stand for processes and messages that are alike, and any proper colouring of it is one of the whole
/// graph. Otherwise it has a node for each process and an edge for each message of the first stretch of the axis (T19);
/// edge e of stretch h has the number h * edges.size() + e.
struct AxisGraph {
  int lefts, rights;
  std::vector<Edge> edges;
  std::vector<Index> lengths;  ///< of each edge's messages, in elements of one period
  std::vector<int> left_degree, right_degree;
  std::vector<std::pair<Index, Index>> samples;       ///< for each edge the ends of a message that it stands for
  double periods;                                     ///< by which lengths are to be multiplied
  std::function<std::size_t(Index p, Index q)> edge;  ///< that stands for the message p -> q
  Index stretches = 1;

  int left_most() const;
  int right_most() const;
};

AxisGraph axis_graph(const Overlap& o);

/// The same with a node for each process and an edge for each message, whatever the length of the axis.
AxisGraph whole_axis_graph(const Overlap& o);

/// The same without lengths and samples, for an axis shorter than a period. An axis of more than `most_edges` pieces is
/// cut into stretches, unless these cost too many steps (THEORY.md, T19).
AxisGraph graph_to_colour(const Overlap& o, double most_edges);

/// Both axes: edge e of the rows and f of the columns make edge e * cols.edges.size() + f; nodes
/// are numbered alike. Shared, for schedules keep it.
struct Graph {
  AxisGraph rows, cols;
  std::vector<std::size_t> own = {};  ///< edges that are messages to oneself and take no step (T32), ascending

  std::size_t edges() const { return rows.edges.size() * cols.edges.size(); }
  int lefts() const { return rows.lefts * cols.lefts; }
  int rights() const { return rows.rights * cols.rights; }
  double periods() const { return rows.periods * cols.periods; }
  int degree() const;  ///< the largest: the least number of steps
  Index load() const;  ///< the most elements at a node
  std::size_t edge(Coord p, Coord q) const;
  std::vector<Edge> list() const;
  std::vector<Index> lengths() const;  ///< 0 of own messages
};

/// Edges of an axis_graph, or a number not less (THEORY.md, T14); known without building the graph.
double axis_edges(const Overlap& o);

/// With ranks, messages to oneself take no step if there are few messages and Delta falls by it. Then each message is
/// an edge (THEORY.md, T32).
std::shared_ptr<const Graph> graph_of(const Traffic& traffic, const Ranks& ranks = {});
inline constexpr std::size_t most_messages_without_own = 1024;
/// Graphs of axes of more edges take too long to be built for this.
inline constexpr double most_edges_without_own = 4096;

/// A proper colouring with degree() colours; own messages have colour 0. By length: of edges in this order, so that
/// the longest messages of the colours add up to less.
enum class ColourOrder { any, by_length };
std::vector<int> colours_of(const Graph& graph, ColourOrder order = ColourOrder::any);

/// The schedule in which the colours are the steps.
Schedule coloured(std::shared_ptr<const Graph> graph, std::vector<int> colours);

/// The schedule that gives edge e of the graph the parts table[e], and own messages step 0.
Schedule tabulated(std::shared_ptr<const Graph> graph, Index count, std::vector<Parts> table);

}  // namespace xredist::core
