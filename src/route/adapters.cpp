// SPDX-License-Identifier: BSD-3-Clause
#include "route/adapters.hpp"

#include <algorithm>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Returns the elements along one axis of each process of its left side.
std::vector<Index> elements_of(const Overlap& o) {
  std::vector<Index> elements;
  for (Index p = 0; p < o.a.procs; ++p) elements.push_back(local_range(o.a, p, o.n).length());
  return elements;
}

// Returns the elements of each sender, row-major.
std::vector<Index> elements_of(const Traffic& traffic) {
  const std::vector<Index> rows = elements_of(traffic.rows), cols = elements_of(traffic.cols);
  std::vector<Index> elements;
  for (const Index row : rows)
    for (const Index col : cols) elements.push_back(row * col);
  return elements;
}

// Returns the maximum sum of the elements of processes with one value in `place_of`, which has a value for each rank.
Index max_sum(const std::vector<Index>& elements, const ProcessGrid& grid, std::span<const int> place_of) {
  std::vector<Index> sums(as_size(std::ranges::max(place_of) + 1), 0);
  for (std::size_t k = 0; k < elements.size(); ++k) at(sums, at(place_of, grid.ranks[k])) += elements[k];
  return std::ranges::max(sums);
}

std::vector<int> count_each(std::span<const int> numbers) {
  return core::count_each(std::ranges::max(numbers) + 1, numbers);
}

}  // namespace

std::vector<int> adapters_of(std::span<const int> nodes, Index ports) {
  const std::vector<int> count = count_each(nodes);
  std::vector<Index> seen(count.size(), 0);
  std::vector<int> adapters;
  adapters.reserve(nodes.size());
  for (const int node : nodes)
    adapters.push_back(static_cast<int>(node * ports + at(seen, node)++ * ports / at(count, node)));
  return adapters;
}

Index max_sharers(std::span<const int> nodes, Index ports) {
  // Nodes are numbered by their first processes, so there may be as many as ranks.
  if (nodes.empty() || std::ranges::max(nodes) + 1 == std::ssize(nodes)) return 1;
  return ceil_div(std::ranges::max(count_each(nodes)), ports);
}

AdapterLoads adapter_loads(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, const Members& members,
                           std::span<const int> nodes, Index ports) {
  const std::vector<int> adapters = adapters_of(nodes, ports);
  const std::vector<Index> in_a = elements_of(traffic), in_b = elements_of(reversed(traffic));
  const auto max_of = [&](std::span<const int> place_of) {
    return std::max(max_sum(in_a, a, place_of), max_sum(in_b, b, place_of));
  };
  const Index of_process = std::max(std::ranges::max(in_a), std::ranges::max(in_b));
  std::vector<int> of_members;
  of_members.reserve(as_size(members.size()));
  for (int position = 0; position < members.size(); ++position)
    of_members.push_back(at(adapters, members.rank_at(position)));
  return {.sharers = static_cast<double>(max_of(adapters)) / static_cast<double>(of_process),
          .node = max_of(nodes),
          .members = std::ranges::max(count_each(of_members))};
}

}  // namespace xredist::core
