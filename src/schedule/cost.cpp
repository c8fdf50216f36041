// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xredist::core {

Bounds bounds_of(const Graph& graph) { return {graph.degree(), graph.load()}; }

Index total_cost(const Graph& graph, const Schedule& schedule) {
  std::vector<Index> longest(as_size(schedule.count), 0);
  visit_parts(graph, schedule, [&](std::size_t, const Part& part, double elements) {
    at(longest, part.step) = std::max(at(longest, part.step), static_cast<Index>(elements));
  });
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

double best_quantum(const Graph& graph, const Network& network) {
  const Bounds bounds = bounds_of(graph);
  const double elements = static_cast<double>(bounds.elements) * graph.periods();
  if (network.beta <= 0 || bounds.steps == 0) return std::max(1.0, elements);
  return std::max(1.0, std::sqrt(network.alpha * elements / (network.beta * static_cast<double>(bounds.steps))));
}

}  // namespace xredist::core
