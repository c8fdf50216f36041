// SPDX-License-Identifier: BSD-3-Clause
#include "route/adapters.hpp"

#include <algorithm>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Returns the elements along one axis of each process of its left side.
std::vector<Index> elements_of(const Overlap& o) {
  std::vector<Index> elements;
  for (Index p = 0; p < o.a.procs; ++p)
    elements.push_back(local_count(o.a, p, o.a.first + o.n) - local_count(o.a, p, o.a.first));
  return elements;
}

// Adds the elements of each process of a grid to a place in `sums`. Returns the maximum of one process.
Index add_elements(const Traffic& traffic, const ProcessGrid& grid, std::span<const int> place_of,
                   std::vector<Index>& sums) {
  const std::vector<Index> rows = elements_of(traffic.rows), cols = elements_of(traffic.cols);
  for (Index position = 0; position < std::ssize(grid.ranks); ++position) {
    const Coord at_grid = grid.at(position);
    at(sums, at(place_of, at(grid.ranks, position))) += at(rows, at_grid.row) * at(cols, at_grid.col);
  }
  return std::ranges::max(rows) * std::ranges::max(cols);
}

// Returns the maximum of the sums of senders and of receivers.
Index max_sum(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, std::span<const int> place_of,
              Index& max_of_process) {
  const auto places = as_size(std::ranges::max(place_of) + 1);
  std::vector<Index> sent(places, 0), received(places, 0);
  max_of_process =
      std::max(add_elements(traffic, a, place_of, sent), add_elements(reversed(traffic), b, place_of, received));
  return std::max(std::ranges::max(sent), std::ranges::max(received));
}

}  // namespace

std::vector<int> adapters_of(std::span<const int> nodes, Index ports) {
  std::vector<Index> count(as_size(std::ranges::max(nodes) + 1), 0), seen = count;
  for (const int node : nodes) ++at(count, node);
  std::vector<int> adapters;
  adapters.reserve(nodes.size());
  for (const int node : nodes)
    adapters.push_back(static_cast<int>(node * ports + at(seen, node)++ * ports / at(count, node)));
  return adapters;
}

Index max_sharers(std::span<const int> nodes, Index ports) {
  // Nodes are numbered by their first processes, so there may be as many as ranks.
  if (nodes.empty() || std::ranges::max(nodes) + 1 == std::ssize(nodes)) return 1;
  std::vector<Index> count(as_size(std::ranges::max(nodes) + 1), 0);
  for (const int node : nodes) ++at(count, node);
  return ceil_div(std::ranges::max(count), ports);
}

AdapterLoads adapter_loads(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, const Members& members,
                           std::span<const int> nodes, Index ports) {
  const std::vector<int> adapters = adapters_of(nodes, ports);
  AdapterLoads loads{};
  Index of_process = 0;
  const Index of_adapter = max_sum(traffic, a, b, adapters, of_process);
  loads.node = max_sum(traffic, a, b, nodes, of_process);
  loads.sharers = static_cast<double>(of_adapter) / static_cast<double>(of_process);
  std::vector<Index> count(as_size(std::ranges::max(adapters) + 1), 0);
  for (int position = 0; position < members.size(); ++position) ++at(count, at(adapters, members.rank_at(position)));
  loads.members = std::ranges::max(count);
  return loads;
}

}  // namespace xredist::core
