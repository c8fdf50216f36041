// SPDX-License-Identifier: BSD-3-Clause
// The ranks of the processes of a grid.
#pragma once

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
};

/// Returns the ranks of the transposed grid, row-major.
inline std::vector<int> transposed(const ProcessGrid& grid) {
  std::vector<int> ranks;
  ranks.reserve(grid.ranks.size());
  const Index rows = std::ssize(grid.ranks) / grid.columns;
  for (Index col = 0; col < grid.columns; ++col)
    for (Index row = 0; row < rows; ++row) ranks.push_back(grid.rank_at({row, col}));
  return ranks;
}

}  // namespace xredist::core
