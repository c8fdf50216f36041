// SPDX-License-Identifier: BSD-3-Clause
// Local arrays of Fortran programs in plans of arrays. Dimension j of a local array, from 1, is the j-th axis in
// memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "api/array_part.hpp"
#include "fortran/arrays.hpp"
#include "xredist/array.h"

namespace xredist::core {

/// The distances of elements along each axis, in elements.
using AxisStrides = std::array<std::int64_t, XREDIST_MAX_DIMS>;

/// Returns why the array does not fit what a plan accesses of it, or an empty text. `bytes`, `type`: as in
/// AccessedPart. `needs`: what needs the part, in messages. Allocates only for an error.
///
/// An array with a dimension for each axis has its own extents and strides. A contiguous array with another number of
/// dimensions stands for its elements, one after the other without gaps: with one dimension, there may be more of them
/// than the plan needs; with several ones, none may be left over, because they could be gaps.
Text mismatch(const FortranArray& array, const ArrayPart& needed, Index bytes, Type type,
              const char* needs = "the plan");

/// Returns whether an array that fits has other strides than an array without gaps, and sets `strides`.
bool has_own_strides(const FortranArray& array, const ArrayPart& needed, AxisStrides& strides);

}  // namespace xredist::core
