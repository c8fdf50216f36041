// SPDX-License-Identifier: BSD-3-Clause
// What the layouts of array.h stand for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "api/arguments.hpp"
#include "layout/axis.hpp"
#include "xredist/array.h"

namespace xredist::core {

/// Returns axis k of an array of `whole` elements along that axis, from element `first` on, counted from 0.
Axis axis_of(const xredist_array_layout& layout, int k, Index whole, Index first);

/// Returns the number of processes along an axis.
inline Index procs_of(const xredist_axis& axis) { return axis.procs != 0 ? axis.procs : 1; }

/// Returns the number of copies of the array.
inline Index copies_of(const xredist_array_layout& layout) { return layout.copies != 0 ? layout.copies : 1; }

/// Returns the number of processes of the grids of all copies.
Index positions_of(const xredist_array_layout& layout);

/// Returns the coordinates of a process in the grid of one of the copies, if the process is there.
std::optional<std::array<Index, XREDIST_MAX_DIMS>> coordinates_of(const xredist_array_layout& layout, int rank);

/// Sets local[k] to the number of elements that a process holds along axis k of an array of the given shape; 0 on a
/// process outside of all grids. `whole`: without errors, and its shape is `shape` unless no axis needs one.
void set_local_shape(const xredist_array_layout& whole, const std::int64_t shape[], int rank, std::int64_t local[]);

/// Returns the axes from the fastest to the slowest in memory.
std::vector<int> order_of(const xredist_array_layout& layout);

/// Returns the rank of each process of the grid, the last axis fastest. Copies are one more axis, after the last one.
std::vector<int> ranks_of(const xredist_array_layout& layout);

/// Returns the layout of copy 0, with the same arrays.
inline xredist_array_layout first_copy(const xredist_array_layout& layout) {
  xredist_array_layout first = layout;
  first.copies = 1;
  return first;
}

/// A layout as that of an array. A matrix is an array of two axes: its ranks are row-major, so the last axis is the
/// fastest.
class AsArray {
 public:
  /// Refer to the lists of a valid layout.
  explicit AsArray(const xredist_array_layout& array) : axes_(), layout_(array) {}
  explicit AsArray(const xredist_layout& matrix)
      : axes_{{{matrix.nprow, matrix.mb, matrix.rsrc, matrix.rows, {}},
               {matrix.npcol, matrix.nb, matrix.csrc, matrix.cols, {}}}} {
    layout_.dims = 2;
    layout_.axes = axes_.data();
    layout_.ranks = matrix.ranks;
  }
  AsArray(const AsArray&) = delete;
  AsArray& operator=(const AsArray&) = delete;

  const xredist_array_layout& get() const { return layout_; }

 private:
  std::array<xredist_axis, 2> axes_;
  xredist_array_layout layout_{};
};

}  // namespace xredist::core
