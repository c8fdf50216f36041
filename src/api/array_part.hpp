// SPDX-License-Identifier: BSD-3-Clause
// The local array of a process: what a call accesses of the array, and errors in what a program passes for it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "api/arguments.hpp"

namespace xredist::core {

/// One axis of a local array.
struct LocalAxis {
  int number;     ///< of the axis in the layout
  Interval held;  ///< local indices of the subarray's elements; of a matrix, up to those at the end of the submatrix
  Index extent;   ///< size of the array; of the rows of a matrix, the leading dimension
};

/// The local array of a process, without gaps. A process outside the grid holds nothing along each axis.
struct ArrayPart {
  std::vector<LocalAxis> axes{};  ///< from the fastest to the slowest in memory; of a matrix, rows and columns
  bool accessed = false;          ///< this process reads elements of A, or writes elements of B
  bool exceeds_memory = false;    ///< without gaps, the array would have 2^63 bytes or more
};

/// Sets the axes of a local array, and whether it exceeds memory. `order`: the axes from the fastest to the slowest.
/// `held`, `extents`: as in LocalAxis. `bytes`: of an element.
void set_local_array(ArrayPart& local, std::span<const int> order, std::span<const Interval> held,
                     std::span<const Index> extents, Index bytes);
/// Sets the axes of a local matrix, and whether it exceeds memory up to its last row and column. `ld`: of jobs that
/// pass none.
void set_local_matrix(ArrayPart& local, const Interval& rows, const Interval& cols, Index ld, Index bytes);

/// The names of a local array, its leading dimension and its strides in messages.
struct LocalNames {
  std::string_view array, ld, strides;
};

/// A local array as a program passes it.
struct LocalArguments {
  const LocalNames& names;
  const void* data;
  Index ld;                     ///< of a matrix; 0: without gaps
  const std::int64_t* strides;  ///< of an array; nullptr: without gaps
  bool written;                 ///< no two elements of the subarray may share memory
};

/// Checks a local array of which a call accesses elements. `bytes`: of an element. Allocates only for an error: no
/// process would tell the others of an execution about a failure here.
MaybeError local_error(const LocalArguments& array, const ArrayPart& local, Index bytes);

/// Returns whether no two elements of the subarray share memory in an array with strides.
bool are_distinct(const std::int64_t strides[], const ArrayPart& local);

}  // namespace xredist::core
