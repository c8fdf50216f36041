// SPDX-License-Identifier: BSD-3-Clause
// Schedules whose steps are matchings, taken out of the graph one after the other (THEORY.md, T25).
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "schedule/cost.hpp"
#include "schedule/papers/papers.hpp"

namespace xredist::core {
namespace {

// The remainder of a graph while steps are taken out of it: the remaining elements of each edge.
struct Rest {
  std::shared_ptr<const Graph> graph;
  std::vector<Edge> edges;
  std::vector<Index> lengths;
  std::vector<Parts> table;
  Index steps = 0;

  explicit Rest(std::shared_ptr<const Graph> g)
      : graph(std::move(g)), edges(graph->list()), lengths(graph->lengths()), table(edges.size()) {
    // Weights of matchings must fit 62 bits. Rounding loses a millionth of the longest message.
    while (*std::ranges::max_element(lengths) >> 20 > 0)
      for (Index& length : lengths) length = (length + 1) / 2;
  }

  int nodes() const { return graph->lefts() + graph->rights(); }
  // Returns the sum of the values of each node's edges; left nodes first.
  template <class Value>
  std::vector<Index> at_nodes(Value value) const {
    std::vector<Index> sums(as_size(nodes()), 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      sums[left(e)] += value(e);
      sums[right(e)] += value(e);
    }
    return sums;
  }
  std::size_t left(std::size_t e) const { return as_size(edges[e].left); }
  std::size_t right(std::size_t e) const { return as_size(graph->lefts() + edges[e].right); }

  std::vector<Index> degrees() const {
    return at_nodes([&](std::size_t e) { return Index{lengths[e] > 0}; });
  }
  // Returns the heaviest matching by the given values; edges of value 0 are not taken. Among equal matchings, returns
  // the one whose nodes have most edges left: they are the hardest to serve later, and preferring them lowers steps and
  // total.
  std::vector<int> heaviest(std::vector<Index> values) const {
    const std::vector<Index> degree = degrees();
    const Index unit = Index{2} * std::min(graph->lefts(), graph->rights()) * *std::ranges::max_element(degree) + 1;
    for (std::size_t e = 0; e < values.size(); ++e)
      if (values[e] > 0) values[e] = values[e] * unit + degree[left(e)] + degree[right(e)];
    return heaviest_matching(edges, values, graph->lefts(), graph->rights());
  }
  // Takes the next step: at most `limit` elements of each of these edges.
  void take(const std::vector<int>& matching, Index limit) {
    for (const int m : matching) {
      const auto e = as_size(m);
      const Index length = std::min(lengths[e], limit);
      table[e].push_back({steps, length});
      lengths[e] -= length;
    }
    ++steps;
  }
  bool empty() const {
    return std::ranges::all_of(lengths, [](Index length) { return length == 0; });
  }
  Schedule schedule() && { return schedule_from_table(std::move(graph), steps, std::move(table)); }
};

constexpr Index unlimited = std::numeric_limits<Index>::max();

// Returns an upper bound on the sum of a matching's lengths.
Index above(const std::vector<Index>& lengths, int nodes) { return *std::ranges::max_element(lengths) * nodes + 1; }

}  // namespace

std::optional<Schedule> stepwise_schedule(const Traffic& traffic) {
  auto graph = graph_to_match(traffic);
  if (!graph) return std::nullopt;
  Rest rest(std::move(graph));
  while (!rest.empty()) {
    const std::vector<Index> degree = rest.degrees();
    const Index most = *std::ranges::max_element(degree), bonus = above(rest.lengths, rest.nodes());
    std::vector<Index> weights = rest.lengths;
    for (std::size_t e = 0; e < weights.size(); ++e)
      if (weights[e] > 0) weights[e] += bonus * ((degree[rest.left(e)] == most) + (degree[rest.right(e)] == most));
    rest.take(rest.heaviest(weights), unlimited);
  }
  return std::move(rest).schedule();
}

std::optional<Schedule> greedy_schedule(const Traffic& traffic) {
  auto graph = graph_to_match(traffic);
  if (!graph) return std::nullopt;
  Rest rest(std::move(graph));
  while (!rest.empty()) rest.take(rest.heaviest(rest.lengths), unlimited);
  return std::move(rest).schedule();
}

}  // namespace xredist::core
