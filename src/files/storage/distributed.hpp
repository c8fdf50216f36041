// SPDX-License-Identifier: BSD-3-Clause
// The distributed array of a call.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "api/array_layout.hpp"
#include "api/array_part.hpp"
#include "file/numbers.hpp"
#include "storage/subarray.hpp"

namespace xredist::files {

/// A distributed array of which this process has a local part. BLOCK and EVEN divide the layout's shape or, if there is
/// none, the array that ends with the subarray. Refers to the lists of a valid layout, but not to its axes.
class DistributedArray {
 public:
  DistributedArray(MPI_Comm comm, const xredist_array_layout& layout, const Subarray& subarray);
  DistributedArray(const DistributedArray&) = delete;
  DistributedArray& operator=(const DistributedArray&) = delete;

  MPI_Comm comm() const { return comm_; }
  /// Returns the layout, with a shape if the distribution of an axis depends on its size.
  const xredist_array_layout& layout() const { return layout_; }

  /// Returns what a call accesses of the local array, which has elements of `bytes` bytes.
  ArrayPart part(const Subarray& subarray, Index bytes) const;
  /// Returns the local indices of this process's elements of the subarray along each axis, from the least to the
  /// greatest one; nothing outside the grid.
  std::array<core::Interval, max_dims> held(const Subarray& subarray) const;
  /// Returns whether a local array has the order of the whole array along each axis.
  bool in_order() const;

  /// Returns the number of elements after which the distribution of an axis repeats itself; 0: it does not.
  Index period(int axis) const;
  /// Returns the number of a process's elements in a period.
  Index block(int axis) const { return at(axes_, axis).block(); }

  /// The local part, and the distance of neighbours along each axis, in elements. Writing a file changes no element.
  void* data = nullptr;
  Sizes strides{};

 private:
  MPI_Comm comm_;
  std::array<xredist_axis, max_dims> passed_axes_{};
  Sizes shape_{};  // that BLOCK and EVEN divide, and of which the local array is a part
  xredist_array_layout layout_;
  std::vector<core::Axis> axes_;
  std::optional<Sizes> coordinates_;  // of this process
};

/// Returns the numbers of elements from the first one of each axis to the last one of the subarray.
Sizes ends_of(const Subarray& subarray);

}  // namespace xredist::files
