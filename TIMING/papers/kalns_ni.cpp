// SPDX-License-Identifier: BSD-3-Clause
#include "papers/kalns_ni.hpp"

#include <numeric>
#include <tuple>
#include <utility>

namespace papers {
namespace {

using xredist::core::as_size, xredist::core::at, xredist::core::Axis;

// Returns z if `block` is BLOCK(b) and `cyclic` is CYCLIC(b / z), otherwise 0.
Index blocks_in_block(const Axis& block, const Axis& cyclic, Index n) {
  if (!is_cyclic(block) || !is_cyclic(cyclic)) return 0;
  const bool whole = block.first == 0 && cyclic.first == 0 && block.block() * block.procs == n;
  return whole && block.block() % cyclic.block() == 0 ? block.block() / cyclic.block() : 0;
}

std::string not_block_to_cyclic(const std::string& dimension) {
  return dimension + " are not BLOCK(b) on one side and CYCLIC(c) on the other with n = p b and c dividing b";
}

// Returns the process with number i of the paper, which counts from the process that has the first element.
int process(const Axis& axis, Index i) { return static_cast<int>((i + axis.source()) % axis.procs); }

// Maps one axis of two grids of the same shape.
MapOrReason along(const Axis& a, const Axis& b, Index n, const std::string& dimension) {
  std::vector<int> result(as_size(a.procs));
  if (a.procs == 1) return result;
  const Index forward = blocks_in_block(a, b, n), backward = blocks_in_block(b, a, n);
  if (forward == 0 && backward == 0) return not_block_to_cyclic(dimension);
  for (Index i = 0; i < a.procs; ++i) {
    const Index j = place_holder(i, forward != 0 ? forward : backward, a.procs);
    if (forward != 0)
      at(result, process(b, j)) = process(a, i);
    else
      at(result, process(b, i)) = process(a, j);
  }
  return result;
}

MapOrReason same_shape(const Layout& a, const Layout& b, Index m, Index n) {
  const MapOrReason of_rows = along(a.rows, b.rows, m, "rows"), of_cols = along(a.cols, b.cols, n, "columns");
  const auto *rows = std::get_if<std::vector<int>>(&of_rows), *cols = std::get_if<std::vector<int>>(&of_cols);
  if (rows == nullptr || cols == nullptr) return rows == nullptr ? of_rows : of_cols;
  std::vector<int> result;
  for (const int i : *rows)
    for (const int k : *cols) result.push_back(i * static_cast<int>(a.cols.procs) + k);
  return result;
}

bool is_column_of(const Layout& column, const Layout& grid) {
  return column.cols.procs == 1 && column.rows.procs == grid.rows.procs * grid.cols.procs;
}

// Maps a column of processes to a grid with as many, or the other way. The row axis of one of them is BLOCK, that of
// the other is CYCLIC. `dimension` names the rows.
MapOrReason column_or_grid(const Layout& a, const Layout& b, Index m, const std::string& dimension) {
  const bool to_grid = is_column_of(a, b);
  const auto& [column, grid] = to_grid ? std::tie(a, b) : std::tie(b, a);
  const Index p0 = grid.rows.procs, p1 = grid.cols.procs;
  std::vector<int> result(as_size(p0 * p1));
  const auto set = [&](Index i, Coord c) {
    const int in_column = process(column.rows, i);
    const int in_grid = process(grid.rows, c.row) * static_cast<int>(p1) + static_cast<int>(c.col);
    at(result, to_grid ? in_grid : in_column) = to_grid ? in_column : in_grid;
  };
  if (const Index z = blocks_in_block(column.rows, grid.rows, m); z != 0) {
    for (Index i = 0; i < p0 * p1; ++i) set(i, place_holder_in_grid(i, z, p0));
    return result;
  }
  const Index z = blocks_in_block(grid.rows, column.rows, m);
  if (z == 0) return not_block_to_cyclic(dimension);
  if (z % p1 != 0) return "z = " + std::to_string(z) + " is not a multiple of p1 = " + std::to_string(p1);
  for (Index r = 0; r < p0; ++r)
    for (Index s = 0; s < p1; ++s) set(place_holder_in_vector({r, s}, z, p0, p1), {r, s});
  return result;
}

// Exchanges rows and columns in both grids of a map.
std::vector<int> transposed(const std::vector<int>& map, const Layout& a, const Layout& b) {
  std::vector<int> result;
  for (Index j = 0; j < b.rows.procs; ++j)
    for (Index l = 0; l < b.cols.procs; ++l) {
      const Index p = at(map, l * b.rows.procs + j);
      result.push_back(static_cast<int>(p % a.rows.procs * a.cols.procs + p / a.rows.procs));
    }
  return result;
}

}  // namespace

Index place_holder(Index i, Index z, Index p) { return i * (z % p) % p + i * std::gcd(z, p) / p; }

std::vector<Index> place_holders(const std::vector<Index>& process, const std::vector<Index>& z,
                                 const std::vector<Index>& p) {
  std::vector<Index> result;
  for (std::size_t j = 0; j < p.size(); ++j) result.push_back(place_holder(process[j], z[j], p[j]));
  return result;
}

Index place_holder_in_vector(Coord process, Index z, Index p0, Index p1) {
  const Index k = std::gcd(z / p1, p0);
  return process.row * (z % (p0 * p1)) % (p0 * p1) + process.row * k / p0 * p1 + process.col;
}

Coord place_holder_in_grid(Index i, Index z, Index p0) { return {place_holder(i % p0, z, p0), i / p0}; }

MapOrReason kalns_ni(const Layout& a, const Layout& b, Index m, Index n) {
  if (a.rows.procs * a.cols.procs != b.rows.procs * b.cols.procs)
    return "the grids have different numbers of processes";
  if (a.rows.procs == b.rows.procs) return same_shape(a, b, m, n);
  const auto line_and_grid = [](const Layout& x, const Layout& y) { return is_column_of(x, y) || is_column_of(y, x); };
  MapOrReason map = "both grids have two dimensions, and different shapes";
  if (line_and_grid(a, b)) map = column_or_grid(a, b, m, "rows");
  if (std::holds_alternative<std::vector<int>>(map)) return map;
  const Layout across_a{a.cols, a.rows}, across_b{b.cols, b.rows};
  if (line_and_grid(across_a, across_b)) map = column_or_grid(across_a, across_b, n, "columns");
  if (auto* positions = std::get_if<std::vector<int>>(&map)) *positions = transposed(*positions, a, b);
  return map;
}

}  // namespace papers
