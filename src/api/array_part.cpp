// SPDX-License-Identifier: BSD-3-Clause
#include "api/array_part.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "copy/array_form.hpp"
#include "xredist/array.h"

namespace xredist::core {
namespace {

constexpr const char* exceeds_memory_text = ": the local array would have 2^63 bytes or more";

// Functions that are not inlined keep the checks of each execution short, which find no error.

[[gnu::noinline]] MaybeError error_of(std::string_view name, const char* reason) {
  return ArgumentError{{name}, reason};
}

// Returns whether a matrix has too great a leading dimension: more than 2^40, or 2^63 bytes or more up to its last row
// and column.
bool exceeds_limits(Index ld, const Interval& rows, const Interval& cols, Index bytes) {
  return ld > max_elements || exceeds_memory(Wide{cols.end - 1} * ld + rows.end - 1, bytes);
}

// Returns the error in a leading dimension that is not in the range of the matrix.
[[gnu::noinline]] MaybeError ld_error(const LocalArguments& array, Index rows) {
  const ArgumentRef name{array.names.ld};
  if (array.ld < rows)
    return value_error(name, array.ld,
                       Text() << ", must be at least " << rows << ", the local rows up to the end of the submatrix");
  if (array.ld > max_elements) return bounds_error(name, array.ld, rows);
  return value_error(name, array.ld, exceeds_memory_text);
}

using Axes = std::array<LocalAxis, XREDIST_MAX_DIMS>;

// Returns the axes of a local array from the least stride to the greatest.
std::span<const LocalAxis> by_stride(const std::int64_t strides[], const ArrayPart& local, Axes& axes) {
  const auto end = std::ranges::copy(local.axes, axes.begin()).out;
  std::ranges::sort(axes.begin(), end, {}, [&](const LocalAxis& axis) { return strides[axis.number]; });
  return {axes.begin(), end};
}

[[gnu::noinline]] MaybeError strides_error(const LocalArguments& array, const ArrayPart& local, Index bytes) {
  const std::int64_t* const strides = array.strides;
  const auto error = [&](int k, const char* reason) {
    return value_error({array.names.strides, k, "[]"}, strides[k], reason);
  };
  for (int k = 0; k < std::ssize(local.axes); ++k)
    if (strides[k] < 0 || strides[k] > max_elements) return error(k, ", must be in 0 .. 2^40");
  Axes axes;
  // Along the axes so far: from the first element of the subarray to the last one, and from the begin of the array.
  Wide reach = 0, end = 0;
  for (const auto& [k, held, extent] : by_stride(strides, local, axes)) {
    if (array.written && held.length() > 1 && strides[k] <= reach)
      return error(k, ": elements of B would share memory");
    reach += Wide{held.length() - 1} * strides[k];
    end += Wide{held.end - 1} * strides[k];
    if (exceeds_memory(end, bytes)) return error(k, exceeds_memory_text);
  }
  return {};
}

}  // namespace

void set_local_array(ArrayPart& local, std::span<const int> order, std::span<const Interval> held,
                     std::span<const Index> extents, Index bytes) {
  local.axes.clear();
  for (const int k : order) local.axes.push_back({k, at(held, k), at(extents, k)});
  local.exceeds_memory = !strides_without_gaps(extents, order, bytes);
}

void set_local_matrix(ArrayPart& local, const Interval& rows, const Interval& cols, Index ld, Index bytes) {
  local.axes = {{0, rows, ld}, {1, cols, cols.end}};
  local.exceeds_memory = exceeds_limits(ld, rows, cols, bytes);
}

MaybeError local_error(const LocalArguments& array, const ArrayPart& local, Index bytes) {
  if (array.data == nullptr) return error_of(array.names.array, " is NULL on a process that holds a part of it");
  if (array.ld != 0) {
    const Interval &rows = local.axes[0].held, &cols = local.axes[1].held;
    if (array.ld < rows.end || exceeds_limits(array.ld, rows, cols, bytes)) return ld_error(array, rows.end);
    return {};
  }
  if (array.strides != nullptr) return strides_error(array, local, bytes);
  if (local.exceeds_memory) return error_of(array.names.array, exceeds_memory_text);
  return {};
}

bool are_distinct(const std::int64_t strides[], const ArrayPart& local) {
  Axes axes;
  Wide reach = 0;
  for (const auto& [number, held, extent] : by_stride(strides, local, axes)) {
    const Index others = held.length() - 1;
    if (others > 0 && strides[number] <= reach) return false;
    reach += Wide{others} * strides[number];
  }
  return true;
}

}  // namespace xredist::core
