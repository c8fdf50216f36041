// SPDX-License-Identifier: BSD-3-Clause
#include "route/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace xredist::core {
namespace {

// Returns the processes of A, then those of B that are not among them.
std::vector<int> members_of(const ProcessGrid& a, const ProcessGrid& b) {
  std::vector<int> all(a.ranks.begin(), a.ranks.end()), known = all;
  std::ranges::sort(known);
  for (const int rank : b.ranks)
    if (!std::ranges::binary_search(known, rank)) all.push_back(rank);
  return all;
}

// Returns the number of processes on each node if it is the same for all nodes; otherwise 0.
int on_each_node(const std::vector<int>& ranks, std::span<const int> nodes) {
  if (nodes.empty()) return 0;
  std::vector<int> count;
  for (const int rank : ranks) {
    const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(rank)]);
    if (node >= count.size()) count.resize(node + 1);
    ++count[node];
  }
  std::erase(count, 0);
  return std::ranges::all_of(count, [&](int c) { return c == count.front(); }) ? count.front() : 0;
}

// Returns the divisor next to the square root, or a number that leaves the last row short if no divisor is near.
int columns_of_square(int size) {
  const int root = static_cast<int>(std::sqrt(size));
  for (int d = root; 2 * d >= root; --d)
    if (d > 1 && size % d == 0) return d;
  return root * root < size ? root + 1 : std::max(root, 1);
}

}  // namespace

std::vector<int> transposed(const ProcessGrid& grid) {
  std::vector<int> ranks;
  ranks.reserve(grid.ranks.size());
  const Index rows = std::ssize(grid.ranks) / grid.columns;
  for (Index col = 0; col < grid.columns; ++col)
    for (Index row = 0; row < rows; ++row) ranks.push_back(grid.rank_at({row, col}));
  return ranks;
}

Mesh::Mesh(std::vector<int> ranks, int columns)
    : columns_(columns),
      ranks_(std::move(ranks)),
      positions_(static_cast<std::size_t>(*std::ranges::max_element(ranks_)) + 1, -1) {
  for (int position = 0; position < size(); ++position)
    positions_[static_cast<std::size_t>(rank_at(position))] = position;
}

int Mesh::via(int p, int q) const {
  const int corner = row(p) * columns_ + column(q);
  return corner < size() ? corner : column(p) % (rows() - 1) * columns_ + column(q);
}

std::vector<int> Mesh::sources(int v) const {
  std::vector<int> result;
  const int begin = row(v) * columns_, last = (rows() - 1) * columns_;
  for (int p = begin; p < std::min(begin + columns_, size()); ++p) result.push_back(p);
  if (begin != last && short_row() > 0 && column(v) >= short_row())
    for (int p = last + row(v); p < size(); p += rows() - 1) result.push_back(p);
  return result;
}

std::vector<int> Mesh::targets(int v) const {
  std::vector<int> result;
  for (int q = column(v); q < size(); q += columns_) result.push_back(q);
  return result;
}

Mesh mesh_of(const ProcessGrid& a, const ProcessGrid& b, std::span<const int> nodes) {
  std::vector<int> ranks = members_of(a, b);
  const int size = static_cast<int>(ranks.size()), together = on_each_node(ranks, nodes);
  if (together > 1 && together < size) {
    std::ranges::stable_sort(ranks, {}, [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; });
    return {std::move(ranks), together};
  }
  if (a == b) return {std::move(ranks), static_cast<int>(a.columns)};
  return {std::move(ranks), columns_of_square(size)};
}

}  // namespace xredist::core
