// SPDX-License-Identifier: BSD-3-Clause
// The layout of a distributed array as a program passes it, as a list of axes, and its rules. A matrix has two axes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/arguments.hpp"
#include "xredist/array.h"

namespace xredist::core {

/// A layout as a program passes it, right or wrong. Refers to the partitions.
struct LayoutArguments {
  std::string_view name;            ///< of the layout, in messages
  std::vector<AxisArguments> axes;  ///< with `procs` at least 1, as 0 stands for 1
  std::vector<Named> grid;          ///< the number of processes along each axis, and of the copies, as passed
  Least least_procs;                ///< of all of these numbers
};

/// Return the layout of a matrix, and that of an array. An array has axes, at most XREDIST_MAX_DIMS.
LayoutArguments arguments_of(std::string_view name, const xredist_layout& layout);
LayoutArguments arguments_of(std::string_view name, const xredist_array_layout& layout);

/// Check what the rules below need: that a layout is there, and sets no word that later versions may use.
MaybeError unreadable_error(std::string_view name, const xredist_layout* layout);
MaybeError unreadable_error(std::string_view name, const xredist_array_layout* layout);

/// Checks a layout on `size` processes. `layout`: as that of an array (AsArray).
MaybeError layout_error(const LayoutArguments& arguments, const xredist_array_layout& layout, Index size);
/// Checks a layout, which may be NULL, on `size` processes, with the words that later versions may use.
template <class Layout>
MaybeError layout_error(std::string_view name, const Layout* layout, Index size);

/// Checks the numbers of elements of a subarray along all axes. `units`: pieces in which an element is copied.
MaybeError shape_error(std::span<const Named> shape, Index units = 1);

/// Checks that a subarray ends within the array along each axis. `first`: counted from 1. `whole`: the size of the
/// array, or nullptr; partitions have an end, too; `longest`: the size of the longest axis. `lists`: nothing, or one
/// for each axis, whose first element is then 1. All numbers and partitions are valid.
MaybeError within_error(const LayoutArguments& layout, std::span<const Named> first, std::span<const Named> count,
                        const std::int64_t whole[] = nullptr, Index longest = max_elements,
                        std::span<const ListArguments> lists = {});

/// Checks that no list has an entry twice. `count`: the numbers of entries, which have no other errors.
MaybeError repeated_error(std::span<const ListArguments> lists, std::span<const Named> count);

/// Returns the number of elements of the whole axis up to the last one of a list, or of `count` neighbours from element
/// `first`, from 0, on. There are no errors.
Index end_of(const std::int64_t* list, Index first, Index count);

/// Returns the axis of a list of `count` elements, or of neighbours: `axis` itself. `distinct`: repeated_error() finds
/// nothing. The list has no errors.
Axis with_list(Axis axis, const std::int64_t* list, Index count, bool distinct);

}  // namespace xredist::core
