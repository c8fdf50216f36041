// SPDX-License-Identifier: BSD-3-Clause
// The target grid that keeps the most elements on their processes (Kalns & Ni 1995, here for any two grids).
#pragma once

#include "mapping/assignment.hpp"

namespace xredist::core {

/// For at most so many positions of either grid the map is the best one; for larger grids see MAPPING.md.
inline constexpr Index most_positions = 1024;

struct Relabelling {
  Map map;
  double kept, kept_row_major;  ///< fractions of the elements; 1 if there are none
  bool optimal;                 ///< no other map keeps more
};

/// B's grid has at most available.count positions.
Relabelling relabel(const Layout& a, const Layout& b, Index m, Index n, const Available& available,
                    Index limit = most_positions);

}  // namespace xredist::core
