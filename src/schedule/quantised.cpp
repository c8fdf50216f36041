// SPDX-License-Identifier: BSD-3-Clause
// Messages are cut into equal parts (THEORY.md, T23).
#include <algorithm>
#include <cmath>
#include <vector>

#include "schedule/colouring.hpp"
#include "schedule/graph.hpp"
#include "schedule/weighted.hpp"

namespace xredist::core {

std::optional<Schedule> quantised_schedule(const Traffic& traffic, double quantum) {
  return quantised_schedule(graph_of(traffic), quantum);
}

std::optional<Schedule> quantised_schedule(const std::shared_ptr<const Graph>& graph, double quantum) {
  if (graph->edges() > most_quanta) return std::nullopt;
  const std::vector<Edge> messages = graph->list();
  const std::vector<Index> lengths = graph->lengths();
  std::vector<Edge> edges;
  std::vector<std::size_t> message;
  std::vector<int> degree(static_cast<std::size_t>(graph->lefts() + graph->rights()), 0);
  for (std::size_t e = 0; e < messages.size(); ++e) {
    const auto quanta = static_cast<Index>(std::ceil(static_cast<double>(lengths[e]) * graph->periods() / quantum));
    if (quanta + static_cast<Index>(edges.size()) > most_quanta) return std::nullopt;
    edges.insert(edges.end(), static_cast<std::size_t>(quanta), messages[e]);
    message.insert(message.end(), static_cast<std::size_t>(quanta), e);
    degree[static_cast<std::size_t>(messages[e].left)] += static_cast<int>(quanta);
    degree[static_cast<std::size_t>(graph->lefts() + messages[e].right)] += static_cast<int>(quanta);
  }
  const int steps = *std::ranges::max_element(degree);
  const std::vector<int> colours = colour_edges(edges, graph->lefts(), graph->rights(), steps);
  std::vector<Parts> table(messages.size());
  for (std::size_t k = 0; k < edges.size(); ++k) table[message[k]].push_back({colours[k], 1});
  return tabulated(graph, steps, std::move(table));
}

}  // namespace xredist::core
