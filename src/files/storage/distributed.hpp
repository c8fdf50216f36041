// SPDX-License-Identifier: BSD-3-Clause
// The distributed array of a call.
#pragma once

#include <array>
#include <vector>

#include "file/numbers.hpp"
#include "storage/processes.hpp"
#include "storage/subarray.hpp"
#include "xredist/array.h"

namespace xredist::files {

/// A distributed array of which this process has a local part. Each axis is CYCLIC(b) or has a partition, so that its
/// distribution does not depend on its length. Refers to the lists of a valid layout.
class DistributedArray {
 public:
  DistributedArray(MPI_Comm comm, const xredist_layout& layout);
  /// BLOCK and EVEN divide the layout's shape or, if there is none, the array that ends with the subarray.
  DistributedArray(MPI_Comm comm, const xredist_array_layout& layout, const Subarray& subarray);
  DistributedArray(const DistributedArray&) = delete;
  DistributedArray& operator=(const DistributedArray&) = delete;

  MPI_Comm comm() const { return comm_; }
  const xredist_array_layout& layout() const { return layout_; }

  /// Returns the numbers of this process's elements along each axis in the first `shape` elements.
  Sizes local_shape(const Sizes& shape) const;
  /// Returns the numbers of this process's elements of the subarray along each axis.
  Sizes local_part(const Subarray& subarray) const;
  /// Returns the numbers of this process's elements before the subarray along each axis.
  Sizes local_begin(const Subarray& subarray) const;

  /// Returns the number of elements after which the distribution of an axis repeats itself; 0: it does not.
  Index period(int axis) const;

  /// The local part, and the distance of neighbours along each axis, in elements. Writing a file changes no element.
  void* data = nullptr;
  Sizes strides{};

 private:
  MPI_Comm comm_;
  std::array<xredist_axis, max_dims> axes_{};
  std::array<std::vector<Index>, max_dims> bounds_;  // of EVEN
  std::array<xredist_partition, max_dims> partitions_{};
  xredist_array_layout layout_{};
};

/// Returns the numbers of elements from the first one of each axis to the last one of the subarray.
Sizes ends_of(const Subarray& subarray);

}  // namespace xredist::files
