// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a plan on a communicator, as lists of axes that all processes must pass alike.
#pragma once

#include <array>
#include <cstddef>

#include "api/compare.hpp"
#include "api/layout_arguments.hpp"
#include "xredist/array.h"
#include "xredist/xredist.h"

namespace xredist::core {

/// The number of values of a layout of at most `axes` axes.
constexpr std::size_t values_of_layout(int axes) { return 6 * as_size(axes) + 4; }

/// A layout that has no errors: the names and values of its members, and the layout as that of an array.
struct ValidLayout {
  LayoutArguments arguments;
  const xredist_array_layout& whole;
};

/// Lists a layout from `next` on, member by member. Processes may differ in their number of axes, but not in the number
/// of values. Returns the end of the list.
Compared* list_layout(const ValidLayout& of, int axes, Compared* next);

/// Both layouts, the subarrays axis by axis, and the operation on the elements.
template <int axes>
using ComparedAxes = std::array<Compared, 2 * values_of_layout(axes) + 5 * as_size(axes) + 1>;
using ComparedArrays = ComparedAxes<XREDIST_MAX_DIMS>;
using ComparedMatrices = ComparedAxes<2>;

/// Return the values that processes compare; a matrix is an array of two axes. The arguments have no errors.
ComparedArrays compared(const xredist_array_layout& a, const xredist_array_layout& b,
                        const xredist_array_operation& operation);
ComparedMatrices compared(const xredist_layout& a, const xredist_layout& b, const xredist_operation& operation);

}  // namespace xredist::core
