// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/graph.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "schedule/limits.hpp"

namespace xredist::core {
namespace {

// Returns the positions in A's and B's grid of each process that is in both.
std::vector<std::pair<Index, Index>> positions_of_same(const Ranks& ranks) {
  const auto [low, high] = std::ranges::minmax(ranks.b);
  std::vector<Index> position(as_size(high - low) + 1, -1);
  for (std::size_t k = 0; k < ranks.b.size(); ++k) at(position, ranks.b[k] - low) = static_cast<Index>(k);
  std::vector<std::pair<Index, Index>> same;
  same.reserve(ranks.a.size());
  for (std::size_t k = 0; k < ranks.a.size(); ++k) {
    const int rank = ranks.a[k];
    if (rank < low || rank > high) continue;
    if (const Index q = at(position, rank - low); q >= 0) same.emplace_back(k, q);
  }
  return same;
}

// Returns the edges that are messages of a process to itself, ascending.
std::vector<std::size_t> own_edges(const Graph& graph, const Traffic& t, const Ranks& ranks) {
  const Index a_cols = t.cols.a.procs, b_cols = t.cols.b.procs;
  std::vector<std::size_t> own;
  for (const auto& [p, q] : positions_of_same(ranks)) {
    const std::size_t row = graph.rows.edge(p / a_cols, q / b_cols), col = graph.cols.edge(p % a_cols, q % b_cols);
    if (row < graph.rows.edges.size() && col < graph.cols.edges.size())
      own.push_back(row * graph.cols.edges.size() + col);
  }
  std::ranges::sort(own);
  return own;
}

std::pair<std::size_t, std::size_t> row_and_col(const Graph& graph, std::size_t edge) {
  return {edge / graph.cols.edges.size(), edge % graph.cols.edges.size()};
}

// Returns whether all processes of one side that have Delta messages have one for themselves.
bool degree_falls(const Graph& graph, const std::vector<std::size_t>& own, int Edge::*side) {
  const std::vector<int>&row_degree = graph.rows.degrees(side), &col_degree = graph.cols.degrees(side);
  const int max_row = std::ranges::max(row_degree), max_col = std::ranges::max(col_degree);
  if (max_row * max_col < graph.degree()) return true;
  const Index busiest = std::ranges::count(row_degree, max_row) * std::ranges::count(col_degree, max_col);
  return busiest <= std::ranges::count_if(own, [&](std::size_t edge) {
           const auto [row, col] = row_and_col(graph, edge);
           return at(row_degree, graph.rows.edges[row].*side) == max_row &&
                  at(col_degree, graph.cols.edges[col].*side) == max_col;
         });
}

std::vector<Index> loads_of(const WeightedGraph& axis, int Edge::*side) {
  std::vector<Index> loads(as_size(side == &Edge::left ? axis.lefts : axis.rights), 0);
  for (std::size_t e = 0; e < axis.edges.size(); ++e) at(loads, axis.edges[e].*side) += axis.lengths[e];
  return loads;
}

Index max_load_of(const Graph& graph, int Edge::*side) {
  const std::vector<Index> rows = loads_of(graph.rows, side), cols = loads_of(graph.cols, side);
  if (graph.own.empty()) return std::ranges::max(rows) * std::ranges::max(cols);
  std::vector<Index> loads;
  loads.reserve(rows.size() * cols.size());
  for (const Index row : rows)
    for (const Index col : cols) loads.push_back(row * col);
  for (const std::size_t own : graph.own) {
    const auto [row, col] = row_and_col(graph, own);
    const std::size_t node = as_size(graph.rows.edges[row].*side) * cols.size() + as_size(graph.cols.edges[col].*side);
    loads[node] -= graph.rows.lengths[row] * graph.cols.lengths[col];
  }
  return std::ranges::max(loads);
}

}  // namespace

std::vector<Edge> edges_of(const ColourGraph& rows, const ColourGraph& cols) {
  std::vector<Edge> all;
  all.reserve(rows.edges.size() * cols.edges.size());
  for (const Edge& e : rows.edges)
    for (const Edge& f : cols.edges) all.push_back({e.left * cols.lefts + f.left, e.right * cols.rights + f.right});
  return all;
}

int degree_of(const ColourGraph& rows, const ColourGraph& cols) {
  return std::max(rows.max_degree(&Edge::left) * cols.max_degree(&Edge::left),
                  rows.max_degree(&Edge::right) * cols.max_degree(&Edge::right));
}

int Graph::degree() const { return degree_of(rows, cols) - (own.empty() ? 0 : 1); }

std::size_t Graph::edge(Coord p, Coord q) const {
  return rows.edge(p.row, q.row) * cols.edges.size() + cols.edge(p.col, q.col);
}

Index Graph::load() const { return std::max(max_load_of(*this, &Edge::left), max_load_of(*this, &Edge::right)); }

std::vector<Index> Graph::lengths() const {
  std::vector<Index> all;
  all.reserve(edges());
  for (const Index row : rows.lengths)
    for (const Index col : cols.lengths) all.push_back(row * col);
  for (const std::size_t e : own) all[e] = 0;
  return all;
}

std::shared_ptr<const Graph> graph_of(const Traffic& traffic, const Ranks& ranks) {
  const auto& [rows, cols] = traffic;
  auto graph = std::make_shared<Graph>(Graph{axis_graph(rows), axis_graph(cols)});
  const std::size_t processes = std::max(ranks.a.size(), ranks.b.size());
  if (ranks.a.empty() || ranks.b.empty() || processes > limits::processes_without_own) return graph;
  // Each edge stands for as many messages as each left node for processes.
  const Index row_messages = rows.a.procs / graph->rows.lefts, col_messages = cols.a.procs / graph->cols.lefts;
  if (graph->edges() * as_size(row_messages * col_messages) > limits::messages_without_own) return graph;
  auto whole = graph;
  if (row_messages * col_messages > 1)
    whole = std::make_shared<Graph>(Graph{whole_axis_graph(rows), whole_axis_graph(cols)});
  std::vector<std::size_t> own = own_edges(*whole, traffic, ranks);
  if (own.empty() || !degree_falls(*whole, own, &Edge::left) || !degree_falls(*whole, own, &Edge::right)) return graph;
  whole->own = std::move(own);
  return whole;
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
  const std::vector<int> colours = colour_edges(in_order, graph.lefts(), graph.rights(), graph.degree(), std::nullopt,
                                                by_length ? FirstColour::lowest : FirstColour::diagonal);
  std::vector<int> all(edges.size(), 0);
  for (std::size_t k = 0; k < colours.size(); ++k) all[travelling[k]] = colours[k];
  return all;
}

Schedule schedule_from_colours(std::shared_ptr<const Graph> graph, std::vector<int> colours) {
  const int count = graph->degree();
  return {count, [graph = std::move(graph), colours = std::move(colours)](Coord p, Coord q) {
            return Parts(Part{colours[graph->edge(p, q)], 1});
          }};
}

Schedule schedule_from_table(std::shared_ptr<const Graph> graph, Index count, std::vector<Parts> table) {
  for (const std::size_t e : graph->own) table[e] = {{0, 1}};
  return {count,
          [graph = std::move(graph), table = std::move(table)](Coord p, Coord q) { return table[graph->edge(p, q)]; }};
}

}  // namespace xredist::core
