// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a plan on a communicator, as lists of axes that all processes must pass alike.
#pragma once

#include <array>

#include "api/compare.hpp"
#include "xredist/array.h"
#include "xredist/xredist.h"

namespace xredist::core {

/// The number of axes, both layouts and the subarrays axis by axis, the ranks of both grids, the copies of B, and the
/// operation on the elements.
template <int axes>
using ComparedAxes = std::array<Compared, 9 * axes + 7>;
using ComparedArrays = ComparedAxes<XREDIST_MAX_DIMS>;
using ComparedMatrices = ComparedAxes<2>;

/// Return the values that processes compare; a matrix is an array of two axes. The arguments have no errors.
ComparedArrays compared(const xredist_array_layout& a, const xredist_array_layout& b,
                        const xredist_array_operation& operation);
ComparedMatrices compared(const xredist_layout& a, const xredist_layout& b, const xredist_operation& operation);

}  // namespace xredist::core
