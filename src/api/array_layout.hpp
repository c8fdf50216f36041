// SPDX-License-Identifier: BSD-3-Clause
// Layouts of array.h: errors in them, and what they stand for.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/arguments.hpp"
#include "layout/axis.hpp"
#include "xredist/array.h"

namespace xredist::core {

/// Returns the error "<name>.axes[1].procs is -1", followed by `rest`. `member`: ".axes", or ".axes[" and ".procs".
MaybeError member_error(std::string_view name, const std::string& member, Index value, const std::string& rest);

/// Returns the text "<member>[k]".
std::string indexed(std::string_view member, int k);

/// Checks a layout on `size` processes.
MaybeError array_layout_error(std::string_view name, const xredist_array_layout* layout, Index size);

/// Checks that the elements [first, first + count), counted from 1, are in the whole array along each axis. `first`,
/// `count`: valid sizes; first may be NULL.
MaybeError within_array_error(std::string_view name, const xredist_array_layout& layout, std::string_view first_name,
                              const int64_t first[], const int64_t count[]);

/// Returns axis k of an array of `whole` elements along that axis, from element `first` on, counted from 0.
Axis axis_of(const xredist_array_layout& layout, int k, Index whole, Index first);

/// Returns the number of processes along an axis.
inline Index procs_of(const xredist_axis& axis) { return axis.procs != 0 ? axis.procs : 1; }

/// Returns the number of copies of the array.
inline Index copies_of(const xredist_array_layout& layout) { return layout.copies != 0 ? layout.copies : 1; }

/// Returns the number of processes of the grids of all copies.
Index positions_of(const xredist_array_layout& layout);

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

/// Returns a number that stands for an axis, for its place in memory, and for the size of the array: processes compare
/// it. The layout has no errors.
Index fingerprint(const xredist_array_layout& layout, int k);

}  // namespace xredist::core
