// SPDX-License-Identifier: BSD-3-Clause
// The processes of a redistribution in rows, for messages that travel in two hops.
#pragma once

#include <span>
#include <vector>

#include "layout/layout.hpp"

namespace xredist::core {

/// A process grid: the rank of each process, row-major, and how many columns there are.
struct ProcessGrid {
  std::span<const int> ranks;
  Index columns;

  int rank_at(Coord c) const { return ranks[static_cast<std::size_t>(c.row * columns + c.col)]; }
  Coord at(Index place) const { return {place / columns, place % columns}; }
};

/// The ranks of a grid whose rows are this one's columns.
std::vector<int> transposed(const ProcessGrid& grid);

/// Processes at positions 0, 1 ..., row after row; the last row may be shorter. A message goes first along the row of
/// its sender, to the process in the column of its receiver, and then along that column (THEORY.md, T29).
class Mesh {
 public:
  /// `ranks`: by position.
  Mesh(std::vector<int> ranks, int columns);

  int size() const { return static_cast<int>(ranks_.size()); }
  int columns() const { return columns_; }
  int rows() const { return (size() + columns_ - 1) / columns_; }
  /// Processes of a short last row, or 0.
  int short_row() const { return size() % columns_; }

  int rank_at(int position) const { return ranks_[static_cast<std::size_t>(position)]; }
  /// Of a process of the mesh.
  int position_of(int rank) const { return positions_[static_cast<std::size_t>(rank)]; }
  int row(int position) const { return position / columns_; }
  int column(int position) const { return position % columns_; }

  /// The process by way of which p's message for q travels; it may be p or q. A process of a short last row has no
  /// neighbour in some columns: its messages for these are taken in by the other rows in turn.
  int via(int p, int q) const;
  /// The processes whose messages for v's column travel by way of v, ascending.
  std::vector<int> sources(int v) const;
  /// The processes of v's column, ascending.
  std::vector<int> targets(int v) const;

 private:
  int columns_;
  std::vector<int> ranks_, positions_;  // positions_: by rank
};

/// Rows are nodes if there are several and all have equally many processes of the grids, more than one. Otherwise, if A
/// and B are on one grid, the mesh is the grid; else it is as near to a square as the number of processes allows.
/// `nodes`: of each rank, or empty.
Mesh mesh_of(const ProcessGrid& a, const ProcessGrid& b, std::span<const int> nodes);

}  // namespace xredist::core
