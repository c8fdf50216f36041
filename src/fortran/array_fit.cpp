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
Index elements_of(const ArrayPart& needed) {
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
Text mismatch_of_axes(const FortranArray& array, const ArrayPart& needed, Index bytes, const char* needs) {
  for (int j = 0; j < array.rank; ++j) {
    const LocalAxis& axis = at(needed.axes, j);
    const Index extent = array.extents[j], least = axis.held.end;
    const Text dimension = Text() << " in dimension " << j + 1;
    if (extent < least && (extent >= 0 || j + 1 < array.rank))
      return Text() << "has extent " << std::max<Index>(extent, 0) << dimension << ", where " << needs << " needs "
                    << least << " elements of axis " << (axis.number + 1);
    if (extent == 1) continue;
    if (array.steps[j] < 0) return Text() << "goes from the last element to the first one" << dimension;
    if (array.steps[j] % bytes != 0)
      return Text() << "has elements at distances of " << array.steps[j] << " bytes" << dimension
                    << ", must be a multiple of their size, " << bytes;
  }
  return {};
}

// Returns why an array with another number of dimensions does not fit.
Text mismatch_of_sequence(const FortranArray& array, const ArrayPart& needed, const char* needs) {
  const auto but_plan_has = [&] { return Text() << ", where " << needs << " has " << needed.axes.size() << " axes"; };
  if (array.storage != Storage::contiguous)
    return Text() << "has rank " << array.rank << " and is not contiguous" << but_plan_has();
  if (array.elements == unknown_size) return {};
  const Index size = elements_of(needed);
  if (array.rank == 1)
    return array.elements >= end_of(needed)
               ? Text()
               : Text() << "has " << array.elements << " elements, where " << needs << " needs " << size;
  if (array.elements == size) return {};
  return Text() << "has rank " << array.rank << " and " << array.elements << " elements" << but_plan_has() << " and "
                << size << " elements";
}

}  // namespace

Text mismatch(const FortranArray& array, const ArrayPart& needed, Index bytes, Type type, const char* needs) {
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
