// SPDX-License-Identifier: BSD-3-Clause
// The target grid that keeps the most elements on their processes (Kalns & Ni 1995, here for any two grids).
#pragma once

#include "mapping/assignment.hpp"

namespace xredist::core {

/// Maximum number of positions of either grid for the Hungarian method, which takes 0.3 s for as many, at worst 1.5 s,
/// and 40 MB (MAPPING.md). Its map is always optimal.
inline constexpr Index max_positions = 1024;

/// Maximum number of looks at a volume in the search beyond that: at most two seconds.
inline constexpr Index max_budget = Index{1} << 28;

struct Relabelling {
  Map map;
  double retained, retained_row_major;  ///< fractions of the elements that stay where they are; 1 if there are none
  bool optimal;                         ///< no other map keeps more
};

/// Returns the map that keeps the most elements, or beyond `limit` positions, if the search takes max_budget, a map
/// that keeps many (MAPPING.md). B's grid has at most available.count positions. m x n must be less than 2^62.
Relabelling relabel(const Layout& a, const Layout& b, Index m, Index n, const Available& available,
                    Index limit = max_positions);
/// As above, for the elements of a traffic, whose columns may be a product of axes. Positions are those of its grids,
/// row-major.
Relabelling relabel(const Traffic& traffic, const Available& available, Index limit = max_positions);

}  // namespace xredist::core
