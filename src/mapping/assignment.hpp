// Processes to the positions of B's grid, so that much stays where it is.
#pragma once

#include <vector>

#include "mapping/volumes.hpp"

namespace xredist::core {

/// The processes that B's grid may have are 0, 1 ... count - 1. Its row-major grid has process k at position k.
struct Available {
  std::vector<int> at_a;  ///< of each position of A's grid its process, -1 if B's grid may not have it
  int count;
};

/// The process at each position of B's grid; all different. Positions are row-major.
using Map = std::vector<int>;

Map row_major(const Layout& b);

/// How many elements stay.
double kept(const Volumes& volumes, const Available& available, const Map& map);

/// The most elements that any map could keep, if every process of A that is available, or every position
/// of B, got the best it can: the lesser of the two. A map that reaches it is optimal.
double ceiling(const Volumes& volumes, const Available& available);

/// Of the maps that keep the most elements one with the most positions as in the row-major grid. O(n^3) for
/// the n positions of the larger grid, at worst. `rounded`: volumes were too large, their last bits were cut off.
Map best_map(Volumes volumes, const Available& available, bool& rounded);

/// The heaviest volume first, of equal ones the row-major grid's, then in the order of positions: at least
/// half of what the best map keeps. Looks at each volume that is not 0 about once.
Map heaviest_first(const Volumes& volumes, const Available& available);

}  // namespace xredist::core
