// SPDX-License-Identifier: BSD-3-Clause
// An array of any number of axes as rows and columns, which the rooms above move. Axes of an array are numbered from 0.
#pragma once

#include <span>
#include <vector>

#include "layout/layout.hpp"
#include "layout/traffic.hpp"

namespace xredist::core {

/// One axis of a subarray of n elements, as A holds the axis and as B holds the axis.
struct ArrayAxis {
  Axis a, b;
  Index n;
};

/// Axes that are adjacent in memory on both sides and move as one, from the fastest on. All but the last one are whole
/// on every process.
using AxisGroup = std::vector<int>;

/// Which axes of an array are the rows, and which are the columns. Axes of one element that no grid distributes are in
/// no group.
///
/// The rows are the axes that are fastest in B, so that elements are written in runs. If other axes are fastest in A,
/// they are the first group of the columns, and the move transposes: elements are read in runs, too. The further groups
/// follow their order in B.
struct Fold {
  AxisGroup rows;               ///< empty: a single row
  std::vector<AxisGroup> cols;  ///< empty: a single column
  bool transposed = false;
};

/// Returns the fold of a subarray. order_a, order_b: the axes from the fastest to the slowest in memory.
Fold fold(std::span<const ArrayAxis> axes, std::span<const int> order_a, std::span<const int> order_b);

/// Returns the traffic of the rows and the columns of a fold.
Traffic traffic_of(std::span<const ArrayAxis> axes, const Fold& fold);

/// Returns the ranks of a grid of rows x columns, row-major. `procs`: the processes along each axis. `ranks`: those of
/// the array's grid, its last axis fastest. `cols_first`: returns the ranks of the grid of columns x rows.
std::vector<int> folded_ranks(const Fold& fold, std::span<const Index> procs, std::span<const int> ranks,
                              bool cols_first);

}  // namespace xredist::core
