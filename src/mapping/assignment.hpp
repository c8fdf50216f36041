// SPDX-License-Identifier: BSD-3-Clause
// Assigns processes to the positions of B's grid so that many elements stay where they are.
#pragma once

#include <vector>

#include "mapping/volumes.hpp"

namespace xredist::core {

/// The processes 0, 1 ... count - 1 that B's grid may have. The row-major grid has process k at position k.
struct Available {
  std::vector<int> at_a;  ///< process at each position of A's grid; -1 if B's grid may not have it
  int count;
};

/// The process at each position of B's grid, row-major. All are different.
using Map = std::vector<int>;

/// Stands for a process or a position that is not there.
inline constexpr int nobody = -1;

/// Gives each empty position (`nobody`) the row-major grid's process if that is free, otherwise the next free process.
Map filled(Map map, int count);

/// Returns the map that has process k at position k, of `positions` positions.
Map row_major(Index positions);

/// Returns the number of elements that stay where they are.
double retained_elements(const Volumes& volumes, const Available& available, const Map& map);

/// Returns an upper bound on the retained elements of any map: the sum of the maximum that each available process of A
/// can keep, or the same sum over the positions of B, whichever is less. A map that reaches it is optimal.
double max_retained(const Volumes& volumes, const Available& available);

struct BestMap {
  Map map;
  bool rounded;  ///< volumes were too large and lost their last bits, so another map may keep more
};

/// Returns, among the maps that keep the most elements, one that agrees with the row-major grid in the most positions.
/// Takes O(n^3) for the n positions of the larger grid.
BestMap best_map(Volumes volumes, const Available& available);

/// Returns the map that takes volumes in descending order; among equal ones the row-major grid's first, then in the
/// order of positions. Keeps at least half of what the best map keeps. Takes time proportional to the number of volumes
/// that are not 0.
Map heaviest_first(const Volumes& volumes, const Available& available);

/// Returns a map that keeps the most elements; `best` is false if the search stopped before, because it had looked at
/// volumes `budget` times. Looks only at volumes that are not 0 (shortest augmenting paths: Jonker, Volgenant 1987).
struct AugmentedMap {
  Map map;
  bool best;
};
AugmentedMap by_augmenting_paths(Volumes volumes, const Available& available, Index budget);

}  // namespace xredist::core
