// SPDX-License-Identifier: BSD-3-Clause
// The processes of a redistribution, arranged as a mesh, for routes that forward messages.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "layout/layout.hpp"

namespace xredist::core {

/// A process grid: the rank of each process, row-major, and the number of columns.
struct ProcessGrid {
  std::span<const int> ranks;
  Index columns;

  int rank_at(Coord c) const { return ranks[static_cast<std::size_t>(c.row * columns + c.col)]; }
  Coord at(Index position) const { return {position / columns, position % columns}; }
  friend bool operator==(const ProcessGrid& x, const ProcessGrid& y) {
    return x.columns == y.columns && std::ranges::equal(x.ranks, y.ranks);
  }
};

/// Returns the ranks of the transposed grid, row-major.
std::vector<int> transposed(const ProcessGrid& grid);

/// Processes at positions 0, 1 ..., row after row; the last row may be shorter. A message travels along the row of its
/// sender to the process in the column of its receiver, and then along that column (THEORY.md, T29).
class Mesh {
 public:
  /// `ranks`: by position.
  Mesh(std::vector<int> ranks, int columns);

  int size() const { return static_cast<int>(ranks_.size()); }
  int columns() const { return columns_; }
  int rows() const { return (size() + columns_ - 1) / columns_; }
  /// Returns the number of processes in a short last row, or 0.
  int short_row() const { return size() % columns_; }

  int rank_at(int position) const { return ranks_[static_cast<std::size_t>(position)]; }
  /// Returns the position of a process of the mesh.
  int position_of(int rank) const { return positions_[static_cast<std::size_t>(rank)]; }
  int row(int position) const { return position / columns_; }
  int column(int position) const { return position % columns_; }

  /// Returns the process that forwards p's message for q; p or q themselves may. A process of a short last row has no
  /// neighbour in some columns: processes of the other rows forward its messages for these columns, in turn.
  int via(int p, int q) const;
  /// Returns the processes whose messages for v's column are forwarded by v, ascending.
  std::vector<int> sources(int v) const;
  /// Returns the processes of v's column, ascending.
  std::vector<int> targets(int v) const;

 private:
  int columns_;
  std::vector<int> ranks_, positions_;  // positions_: by rank
};

/// Returns the mesh for two grids. Its rows are the nodes, if there are several and all have equally many processes of
/// the grids, more than one. Otherwise the mesh is the grid of A, if B has the same grid; else it is as near to a
/// square as the number of processes allows. `nodes`: node of each rank, or empty.
Mesh mesh_of(const ProcessGrid& a, const ProcessGrid& b, std::span<const int> nodes);

}  // namespace xredist::core
