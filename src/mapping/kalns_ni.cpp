// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/kalns_ni.hpp"

#include <numeric>
#include <utility>

namespace xredist::core {
namespace {

using Positions = std::optional<std::vector<int>>;

// Returns z if `block` is BLOCK(b) and `cyclic` is CYCLIC(b / z), otherwise 0.
Index blocks_in_block(const Axis& block, const Axis& cyclic, Index n) {
  if (!is_cyclic(block) || !is_cyclic(cyclic)) return 0;
  const bool whole = block.first == 0 && cyclic.first == 0 && block.block() * block.procs == n;
  return whole && block.block() % cyclic.block() == 0 ? block.block() / cyclic.block() : 0;
}

// Returns the process with number i of the paper, which counts from the process that has the first element.
int process(const Axis& axis, Index i) { return static_cast<int>((i + axis.source()) % axis.procs); }

// Maps one axis of two grids of the same shape.
Positions along(const Axis& a, const Axis& b, Index n) {
  if (a.procs != b.procs) return {};
  std::vector<int> result(as_size(a.procs));
  if (a.procs == 1) return result;
  const Index forward = blocks_in_block(a, b, n), backward = blocks_in_block(b, a, n);
  if (forward == 0 && backward == 0) return {};
  for (Index i = 0; i < a.procs; ++i) {
    const Index j = place_holder(i, forward != 0 ? forward : backward, a.procs);
    if (forward != 0)
      at(result, process(b, j)) = process(a, i);
    else
      at(result, process(b, i)) = process(a, j);
  }
  return result;
}

Positions same_shape(const Layout& a, const Layout& b, Index m, Index n) {
  const Positions rows = along(a.rows, b.rows, m), cols = along(a.cols, b.cols, n);
  if (!rows || !cols) return {};
  std::vector<int> result;
  for (const int i : *rows)
    for (const int k : *cols) result.push_back(i * static_cast<int>(a.cols.procs) + k);
  return result;
}

// Returns pairs of the number in a column of processes and the position in a grid. The row axis of one of them is
// BLOCK, of the other CYCLIC; empty otherwise.
std::vector<std::pair<int, int>> column_and_grid(const Layout& column, const Layout& grid, Index m) {
  const Index p0 = grid.rows.procs, p1 = grid.cols.procs;
  const Index in_column = blocks_in_block(column.rows, grid.rows, m);
  const Index in_grid = blocks_in_block(grid.rows, column.rows, m);
  std::vector<std::pair<int, int>> result;
  const auto pair = [&](Index i, Coord c) {
    const int row = process(grid.rows, c.row);
    result.emplace_back(process(column.rows, i), row * static_cast<int>(p1) + static_cast<int>(c.col));
  };
  if (in_column != 0) {
    for (Index i = 0; i < p0 * p1; ++i) pair(i, place_holder_in_grid(i, in_column, p0));
  } else if (in_grid != 0 && in_grid % p1 == 0) {
    for (Index r = 0; r < p0; ++r)
      for (Index s = 0; s < p1; ++s) pair(place_holder_in_vector({r, s}, in_grid, p0, p1), {r, s});
  }
  return result;
}

bool is_column_of(const Layout& column, const Layout& grid) {
  return column.cols.procs == 1 && column.rows.procs == grid.rows.procs * grid.cols.procs;
}

Positions column_or_grid(const Layout& a, const Layout& b, Index m) {
  const bool to_grid = is_column_of(a, b);
  if (!to_grid && !is_column_of(b, a)) return {};
  const auto pairs = to_grid ? column_and_grid(a, b, m) : column_and_grid(b, a, m);
  if (pairs.empty()) return {};
  std::vector<int> result(pairs.size());
  for (const auto& [in_column, in_grid] : pairs) {
    const auto [from, to] = to_grid ? std::pair{in_column, in_grid} : std::pair{in_grid, in_column};
    at(result, to) = from;
  }
  return result;
}

// Exchanges rows and columns in both grids of a map.
Positions transposed(const Positions& map, const Layout& a, const Layout& b) {
  if (!map) return {};
  std::vector<int> result;
  for (Index j = 0; j < b.rows.procs; ++j)
    for (Index l = 0; l < b.cols.procs; ++l) {
      const Index p = at(*map, l * b.rows.procs + j);
      result.push_back(static_cast<int>(p % a.rows.procs * a.cols.procs + p / a.rows.procs));
    }
  return result;
}

}  // namespace

Index place_holder(Index i, Index z, Index p) { return i * (z % p) % p + i * std::gcd(z, p) / p; }

Index place_holder_in_vector(Coord process, Index z, Index p0, Index p1) {
  const Index sharing = std::gcd(z / p1, p0);  // rows of processes that h maps to the same number
  return process.row * (z % (p0 * p1)) % (p0 * p1) + process.row * sharing / p0 * p1 + process.col;
}

Coord place_holder_in_grid(Index i, Index z, Index p0) { return {place_holder(i % p0, z, p0), i / p0}; }

Positions kalns_ni(const Layout& a, const Layout& b, Index m, Index n) {
  if (Positions result = same_shape(a, b, m, n)) return result;
  if (Positions result = column_or_grid(a, b, m)) return result;
  const Layout across_a{a.cols, a.rows}, across_b{b.cols, b.rows};
  return transposed(column_or_grid(across_a, across_b, n), a, b);
}

}  // namespace xredist::core
