// SPDX-License-Identifier: BSD-3-Clause
#include "fortran/array_fit.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace xredist::core {
namespace {

// Returns x y, or the maximum of Index, which no array reaches; x, y >= 0.
Index limited_product(Index x, Index y) {
  constexpr Wide max = std::numeric_limits<Index>::max();
  return static_cast<Index>(std::min(Wide{x} * y, max));
}

// Returns the number of elements of a local array without gaps.
Index size_of(const ArrayPart& needed) {
  Index size = 1;
  for (const LocalAxis& axis : needed.axes) size = limited_product(size, axis.extent);
  return size;
}

// Returns the number of its elements up to the last one of the subarray.
Index end_of(const ArrayPart& needed) {
  if (needed.exceeds_memory) return std::numeric_limits<Index>::max();
  Index last = 0, stride = 1;
  for (const LocalAxis& axis : needed.axes) {
    last += (axis.held.end - 1) * stride;
    stride *= std::max<Index>(axis.extent, 1);
  }
  return last + 1;
}

bool has_all_axes(const FortranArray& array, const ArrayPart& needed) { return array.rank == std::ssize(needed.axes); }

// Returns why an array with a dimension for each axis does not fit. The last extent is negative if it is unknown.
std::string mismatch_of_axes(const FortranArray& array, const ArrayPart& needed, Index bytes, const char* needs) {
  for (int j = 0; j < array.rank; ++j) {
    const LocalAxis& axis = at(needed.axes, j);
    const Index extent = array.extents[j], least = axis.held.end;
    const std::string dimension = " in dimension " + std::to_string(j + 1);
    if (extent < least && (extent >= 0 || j + 1 < array.rank))
      return "has extent " + std::to_string(std::max<Index>(extent, 0)) + dimension + ", where " + std::string(needs) +
             " needs " + std::to_string(least) + " elements of axis " + std::to_string(axis.number + 1);
    if (extent == 1) continue;
    if (array.steps[j] < 0) return "goes from the last element to the first one" + dimension;
    if (array.steps[j] % bytes != 0)
      return "has elements at distances of " + std::to_string(array.steps[j]) + " bytes" + dimension +
             ", must be a multiple of their size, " + std::to_string(bytes);
  }
  return {};
}

// Returns why an array with another number of dimensions does not fit.
std::string mismatch_of_sequence(const FortranArray& array, const ArrayPart& needed, const char* needs) {
  const auto but_plan_has = [&] {
    return ", where " + std::string(needs) + " has " + std::to_string(needed.axes.size()) + " axes";
  };
  if (array.storage != Storage::contiguous)
    return "has rank " + std::to_string(array.rank) + " and is not contiguous" + but_plan_has();
  if (array.elements == unknown_size) return {};
  const Index size = size_of(needed);
  if (array.rank == 1)
    return array.elements >= end_of(needed) ? std::string()
                                            : "has " + std::to_string(array.elements) + " elements, where " +
                                                  std::string(needs) + " needs " + std::to_string(size);
  if (array.elements == size) return {};
  return "has rank " + std::to_string(array.rank) + " and " + std::to_string(array.elements) + " elements" +
         but_plan_has() + " and " + std::to_string(size) + " elements";
}

}  // namespace

std::string mismatch(const FortranArray& array, const ArrayPart& needed, Index bytes, Type type, const char* needs) {
  if (!has_elements(array, bytes, type)) return mismatch_of_elements(array, bytes, type);
  return has_all_axes(array, needed) ? mismatch_of_axes(array, needed, bytes, needs)
                                     : mismatch_of_sequence(array, needed, needs);
}

bool has_own_strides(const FortranArray& array, const ArrayPart& needed, AxisStrides& strides) {
  if (!has_all_axes(array, needed)) return false;
  bool others = false;
  Index without_gaps = 1;
  for (int j = 0; j < array.rank; ++j) {
    const LocalAxis& axis = at(needed.axes, j);
    Index& stride = at(strides, axis.number);
    stride = array.extents[j] == 1 ? without_gaps : array.steps[j] / array.element_bytes;
    others = others || stride != without_gaps;
    without_gaps = limited_product(without_gaps, std::max<Index>(axis.extent, 1));
  }
  return others;
}

}  // namespace xredist::core
