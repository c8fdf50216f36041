// SPDX-License-Identifier: BSD-3-Clause
// Assigns processes to the positions of B's grid so that many elements stay where they are.
#pragma once

#include <vector>

#include "mapping/volumes.hpp"

namespace xredist::core {

/// B's grid may have the processes 0, 1 ... count - 1. The row-major grid has process k at position k.
struct Available {
  std::vector<int> at_a;  ///< process at each position of A's grid; -1 if B's grid may not have it
  int count;
};

/// The process at each position of B's grid, row-major. All are different.
using Map = std::vector<int>;

Map row_major(const Layout& b);

/// The number of elements that stay.
double kept(const Volumes& volumes, const Available& available, const Map& map);

/// A bound of the elements that any map keeps: the sum over all available processes of A of the most that each can
/// keep, or the same over all positions of B, whichever is less. A map that reaches it is optimal.
double ceiling(const Volumes& volumes, const Available& available);

/// Among the maps that keep the most elements, one that agrees with the row-major grid in the most positions. O(n^3) at
/// worst, for the n positions of the larger grid. `rounded`: volumes were too large and lost their last bits.
Map best_map(Volumes volumes, const Available& available, bool& rounded);

/// Takes volumes in descending order; of equal ones the row-major grid's first, then in the order of positions. Keeps
/// at least half of what the best map keeps. Takes time in proportion to the volumes that are not 0.
Map heaviest_first(const Volumes& volumes, const Available& available);

}  // namespace xredist::core
