// SPDX-License-Identifier: BSD-3-Clause
// An array of any number of axes, and its local arrays on one process.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "copy/redistribution.hpp"
#include "copy/strides.hpp"
#include "layout/fold.hpp"

namespace xredist::core {

/// A subarray that moves, as equal on all processes.
struct ArrayForm {
  std::vector<ArrayAxis> axes;  ///< an axis beyond those of a local array is one of copies
  Fold fold;

  /// order_a, order_b: the axes from the fastest to the slowest in memory.
  ArrayForm(std::vector<ArrayAxis> subarray, std::span<const int> order_a, std::span<const int> order_b);

  /// Returns the redistribution of the subarray. `transposed` of the operation is set by the fold.
  Redistribution redistribution(Index bytes, Operation operation) const;
  /// Return the ranks of a grid by rows and columns, row-major, and as plan_process takes them: with rows and columns
  /// exchanged for a transposed A. `ranks`: the last axis fastest. `side`: whose grid it is.
  std::vector<int> positions(const Axis ArrayAxis::*side, std::span<const int> ranks) const;
  std::vector<int> ranks(const Axis ArrayAxis::*side, std::span<const int> ranks) const;
  /// Returns the local indices of the subarray's elements on a process along the axes that have coordinates.
  std::vector<Interval> held(const Axis ArrayAxis::*side, std::span<const Index> coordinates) const;
  /// Returns the places of the elements of a local array. `held`: as above, for each axis of the local array.
  /// `strides`: of each of these axes, in elements, at least 0. `redistribution`: that of this form.
  ArrayStrides places(const Axis ArrayAxis::*side, std::span<const Interval> held, std::span<const Index> strides,
                      const Redistribution& redistribution) const;
};

/// Returns the strides of a local array without gaps; nothing if the array would have 2^63 bytes or more. `extents`:
/// its size along each axis; `bytes`: of an element.
std::optional<std::vector<Index>> strides_without_gaps(std::span<const Index> extents, std::span<const int> order,
                                                       Index bytes);

}  // namespace xredist::core
