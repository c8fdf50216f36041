// SPDX-License-Identifier: BSD-3-Clause
// Messages of a process to itself take no step, where there are few enough messages to write each down (THEORY.md,
// T32).
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "schedule/graph.hpp"

namespace xredist::core {
namespace {

using Places = std::vector<std::pair<Index, Index>>;

// The processes that are in both grids, by their places in either.
Places places_of_same(const Ranks& ranks) {
  const auto [low, high] = std::ranges::minmax(ranks.b);
  std::vector<Index> place(static_cast<std::size_t>(high - low) + 1, -1);
  for (std::size_t k = 0; k < ranks.b.size(); ++k)
    place[static_cast<std::size_t>(ranks.b[k] - low)] = static_cast<Index>(k);
  Places same;
  same.reserve(ranks.a.size());
  for (std::size_t k = 0; k < ranks.a.size(); ++k) {
    const int rank = ranks.a[k];
    if (rank < low || rank > high) continue;
    if (const Index q = place[static_cast<std::size_t>(rank - low)]; q >= 0) same.emplace_back(k, q);
  }
  return same;
}

// The edge of the message from place p to place q, if there is one.
std::optional<std::size_t> edge_between(const Graph& graph, const Traffic& t, Index p, Index q) {
  const Index a_cols = t.cols.a.procs, b_cols = t.cols.b.procs;
  const std::size_t row = graph.rows.edge(p / a_cols, q / b_cols);
  if (row >= graph.rows.edges.size()) return std::nullopt;
  const std::size_t col = graph.cols.edge(p % a_cols, q % b_cols);
  if (col >= graph.cols.edges.size()) return std::nullopt;
  return row * graph.cols.edges.size() + col;
}

// The processes of one side that have Delta messages: how many there are, and how many of them keep something.
class Busiest {
 public:
  Busiest(const Graph& graph, int Edge::*side, const std::vector<int>& rows, const std::vector<int>& cols)
      : graph_(graph), side_(side), rows_(rows), cols_(cols), most_(std::ranges::max(rows) * std::ranges::max(cols)) {
    if (most_ == graph.degree()) count_ = with_most(rows) * with_most(cols);
  }

  Index nodes() const { return count_; }
  void see(std::size_t own) {
    const std::size_t row = own / graph_.cols.edges.size(), col = own % graph_.cols.edges.size();
    const auto degree = [&](const std::vector<int>& degrees, const Edge& e) {
      return degrees[static_cast<std::size_t>(e.*side_)];
    };
    kept_ += degree(rows_, graph_.rows.edges[row]) * degree(cols_, graph_.cols.edges[col]) == most_;
  }
  Index kept() const { return kept_; }

 private:
  static Index with_most(const std::vector<int>& degrees) {
    return std::ranges::count(degrees, std::ranges::max(degrees));
  }

  const Graph& graph_;
  int Edge::*side_;
  const std::vector<int>&rows_, &cols_;
  int most_;
  Index count_ = 0, kept_ = 0;
};

// Whether all processes that have Delta messages keep something. A node of the graph stands for `alike` of them.
bool degree_falls(const Graph& graph, const Traffic& t, const Ranks& ranks, Index alike) {
  Busiest senders(graph, &Edge::left, graph.rows.left_degree, graph.cols.left_degree);
  Busiest receivers(graph, &Edge::right, graph.rows.right_degree, graph.cols.right_degree);
  const Index needed = alike * std::max(senders.nodes(), receivers.nodes());
  if (needed > std::min(std::ssize(ranks.a), std::ssize(ranks.b))) return false;
  const Places same = places_of_same(ranks);
  Index may_keep = std::ssize(same);
  for (const auto& [p, q] : same) {
    if (may_keep < needed) return false;
    if (const auto own = edge_between(graph, t, p, q)) {
      senders.see(*own);
      receivers.see(*own);
    } else {
      --may_keep;
    }
  }
  return senders.kept() >= alike * senders.nodes() && receivers.kept() >= alike * receivers.nodes();
}

std::vector<Index> loads_of(const AxisGraph& axis, int Edge::*side) {
  std::vector<Index> loads(static_cast<std::size_t>(side == &Edge::left ? axis.lefts : axis.rights), 0);
  for (std::size_t e = 0; e < axis.edges.size(); ++e)
    loads[static_cast<std::size_t>(axis.edges[e].*side)] += axis.lengths[e];
  return loads;
}

Index load_of(const Graph& graph, int Edge::*side) {
  const std::vector<Index> rows = loads_of(graph.rows, side), cols = loads_of(graph.cols, side);
  if (graph.own.empty()) return std::ranges::max(rows) * std::ranges::max(cols);
  std::vector<Index> loads;
  loads.reserve(rows.size() * cols.size());
  for (const Index row : rows)
    for (const Index col : cols) loads.push_back(row * col);
  for (const std::size_t own : graph.own) {
    const std::size_t row = own / graph.cols.edges.size(), col = own % graph.cols.edges.size();
    const auto at = static_cast<std::size_t>(graph.rows.edges[row].*side) * cols.size();
    loads[at + static_cast<std::size_t>(graph.cols.edges[col].*side)] -=
        graph.rows.lengths[row] * graph.cols.lengths[col];
  }
  return std::ranges::max(loads);
}

}  // namespace

int Graph::degree() const {
  const int with_own = std::max(rows.left_most() * cols.left_most(), rows.right_most() * cols.right_most());
  return with_own - (own.empty() ? 0 : 1);
}

Index Graph::load() const { return std::max(load_of(*this, &Edge::left), load_of(*this, &Edge::right)); }

std::shared_ptr<const Graph> graph_of(const Traffic& traffic, const Ranks& ranks) {
  const auto& [rows, cols] = traffic;
  auto graph = std::make_shared<Graph>(Graph{axis_graph(rows), axis_graph(cols)});
  const std::size_t processes = std::max(ranks.a.size(), ranks.b.size());
  if (ranks.a.empty() || ranks.b.empty() || processes > 256) return graph;
  const Index alike_rows = rows.a.procs / graph->rows.lefts, alike_cols = cols.a.procs / graph->cols.lefts;
  const Index alike = alike_rows * alike_cols;
  if (graph->edges() * static_cast<std::size_t>(alike) > most_messages_without_own) return graph;
  if (!degree_falls(*graph, traffic, ranks, alike)) return graph;
  if (alike_rows > 1) graph->rows = whole_axis_graph(rows);
  if (alike_cols > 1) graph->cols = whole_axis_graph(cols);
  for (const auto& [p, q] : places_of_same(ranks))
    if (const auto own = edge_between(*graph, traffic, p, q)) graph->own.push_back(*own);
  std::ranges::sort(graph->own);
  return graph;
}

std::vector<int> colours_of(const Graph& graph, ColourOrder order) {
  const std::vector<Edge> edges = graph.list();
  std::vector<char> stays(edges.size(), false);
  for (const std::size_t e : graph.own) stays[e] = true;
  std::vector<std::size_t> travelling;
  travelling.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (!stays[e]) travelling.push_back(e);
  const bool by_length = order == ColourOrder::by_length;
  if (by_length) {
    const std::vector<Index> lengths = graph.lengths();
    std::ranges::stable_sort(travelling, std::ranges::greater{}, [&](std::size_t e) { return lengths[e]; });
  }
  std::vector<Edge> in_order;
  in_order.reserve(travelling.size());
  for (const std::size_t e : travelling) in_order.push_back(edges[e]);
  const std::vector<int> colours =
      colour_edges(in_order, graph.lefts(), graph.rights(), graph.degree(), std::numeric_limits<std::int64_t>::max(),
                   by_length ? FirstColour::lowest : FirstColour::diagonal);
  std::vector<int> all(edges.size(), 0);
  for (std::size_t k = 0; k < colours.size(); ++k) all[travelling[k]] = colours[k];
  return all;
}

Schedule coloured(std::shared_ptr<const Graph> graph, std::vector<int> colours) {
  const int count = graph->degree();
  return {count, [graph = std::move(graph), colours = std::move(colours)](Coord p, Coord q) {
            return Parts{{colours[graph->edge(p, q)], 1}};
          }};
}

}  // namespace xredist::core
