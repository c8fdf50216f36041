// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/cost.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace xredist::core {
namespace {

// Returns the time at which each port is free, 0. The ports of right nodes follow those of left ones.
std::vector<double> free_ports(const Graph& graph) {
  return std::vector<double>(as_size(graph.lefts() + graph.rights()), 0);
}

// A part of the messages of one edge, and its time (s).
struct TimedPart {
  Edge nodes;
  Index step;
  double seconds;
};

// Returns the parts in the order of their steps.
std::vector<TimedPart> in_steps(const std::vector<TimedPart>& parts, Index steps) {
  std::vector<std::size_t> next(as_size(steps) + 1, 0);
  for (const TimedPart& part : parts) ++at(next, part.step + 1);
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<TimedPart> sorted(parts.size());
  for (const TimedPart& part : parts) sorted[at(next, part.step)++] = part;
  return sorted;
}

}  // namespace

Bounds bounds_of(const Graph& graph) { return {graph.degree(), graph.load()}; }

Index total_cost(const Graph& graph, const Schedule& schedule) {
  std::vector<Index> longest(as_size(schedule.count), 0);
  visit_parts(graph, schedule, [&](const Edge&, const Part& part, double elements) {
    at(longest, part.step) = std::max(at(longest, part.step), static_cast<Index>(elements));
  });
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

Times times_of(const Graph& graph, const Schedule& schedule, const Network& network) {
  std::vector<TimedPart> parts;
  parts.reserve(graph.edges());
  std::vector<double> longest(as_size(schedule.count), 0);
  visit_parts(graph, schedule, [&](const Edge& nodes, const Part& part, double elements) {
    const double seconds = network.alpha + network.beta * elements;
    at(longest, part.step) = std::max(at(longest, part.step), seconds);
    parts.push_back({nodes, part.step, seconds});
  });
  // All ports take parts in one order, so one pass over the parts finds both ends of a part ready.
  std::vector<double> free = free_ports(graph);
  for (const TimedPart& part : in_steps(parts, schedule.count)) {
    double &from = at(free, part.nodes.left), &to = at(free, graph.lefts() + part.nodes.right);
    from = to = std::max(from, to) + part.seconds;
  }
  return {std::accumulate(longest.begin(), longest.end(), 0.0), std::ranges::max(free)};
}

Times least_times(const Graph& graph, const Network& network) {
  const Bounds bounds = bounds_of(graph);
  const std::vector<Edge> edges = graph.list();
  const std::vector<Index> lengths = graph.lengths();
  std::vector<double> busy = free_ports(graph);
  for (std::size_t e = 0; e < lengths.size(); ++e) {
    if (lengths[e] == 0) continue;
    const double seconds = network.alpha + network.beta * static_cast<double>(lengths[e]);
    at(busy, edges[e].left) += seconds;
    at(busy, graph.lefts() + edges[e].right) += seconds;
  }
  return {network.alpha * static_cast<double>(bounds.steps) + network.beta * static_cast<double>(bounds.elements),
          std::ranges::max(busy)};
}

double best_quantum(const Graph& graph, const Network& network) {
  const Bounds bounds = bounds_of(graph);
  const double elements = static_cast<double>(bounds.elements) * graph.periods();
  if (network.beta <= 0 || bounds.steps == 0) return std::max(1.0, elements);
  return std::max(1.0, std::sqrt(network.alpha * elements / (network.beta * static_cast<double>(bounds.steps))));
}

}  // namespace xredist::core
