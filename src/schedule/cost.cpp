// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xredist::core {
Bounds bounds_of(const Graph& graph) { return {graph.degree(), graph.load()}; }

Index total_cost(const Graph& graph, const Schedule& schedule) {
  std::vector<Index> longest(as_size(schedule.count), 0);
  const std::vector<Index> lengths = graph.lengths();
  auto length = lengths.begin();
  for (const auto& [p_row, q_row] : graph.rows.samples)
    for (const auto& [p_col, q_col] : graph.cols.samples) {
      const auto elements = static_cast<double>(*length++);
      if (elements == 0) continue;  // an own message
      const Parts parts = schedule.parts({p_row, p_col}, {q_row, q_col});
      Index whole = 0;
      for (const Part& part : parts) whole += part.weight;
      for (const Part& part : parts) {
        const double share = static_cast<double>(part.weight) / static_cast<double>(whole);
        at(longest, part.step) = std::max(at(longest, part.step), static_cast<Index>(share * elements));
      }
    }
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

double best_quantum(const Graph& graph, const Network& network) {
  const Bounds bounds = bounds_of(graph);
  const double elements = static_cast<double>(bounds.elements) * graph.periods();
  if (network.beta <= 0 || bounds.steps == 0) return std::max(1.0, elements);
  return std::max(1.0, std::sqrt(network.alpha * elements / (network.beta * static_cast<double>(bounds.steps))));
}

}  // namespace xredist::core
