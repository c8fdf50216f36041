// SPDX-License-Identifier: BSD-3-Clause
// Cuts messages into equal parts (THEORY.md, T23).
#include <algorithm>
#include <cmath>
#include <vector>

#include "schedule/cost.hpp"
#include "schedule/limits.hpp"

namespace xredist::core {

std::optional<Schedule> quantised_schedule(const Traffic& traffic, double quantum) {
  return quantised_schedule(graph_of(traffic), quantum);
}

std::optional<Schedule> quantised_schedule(const std::shared_ptr<const Graph>& graph, double quantum) {
  if (graph->edges() > limits::quanta) return std::nullopt;
  const std::vector<Edge> messages = graph->list();
  const std::vector<Index> lengths = graph->lengths();
  std::vector<Edge> edges;
  std::vector<std::size_t> message;  // of each edge
  std::vector<int> degree(as_size(graph->lefts() + graph->rights()), 0);
  for (std::size_t e = 0; e < messages.size(); ++e) {
    const auto quanta = static_cast<Index>(std::ceil(static_cast<double>(lengths[e]) * graph->periods() / quantum));
    if (quanta + static_cast<Index>(edges.size()) > limits::quanta) return std::nullopt;
    edges.insert(edges.end(), as_size(quanta), messages[e]);
    message.insert(message.end(), as_size(quanta), e);
    at(degree, messages[e].left) += static_cast<int>(quanta);
    at(degree, graph->lefts() + messages[e].right) += static_cast<int>(quanta);
  }
  const int steps = *std::ranges::max_element(degree);
  const std::vector<int> colours = colour_edges(edges, graph->lefts(), graph->rights(), steps);
  std::vector<Parts> table(messages.size());
  for (std::size_t k = 0; k < edges.size(); ++k) table[message[k]].push_back({colours[k], 1});
  return schedule_from_table(graph, steps, std::move(table));
}

}  // namespace xredist::core
