// SPDX-License-Identifier: BSD-3-Clause
// Where the elements of an array of any number of axes lie in memory.
#pragma once

#include <limits>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

/// Returns whether a local array that ends with the element at `offset` would have 2^63 bytes or more, so that offsets
/// of its bytes exceed 64 bits. `bytes`: of an element.
constexpr bool exceeds_memory(Wide offset, Index bytes) { return offset >= std::numeric_limits<Index>::max() / bytes; }

/// The axes of a group (AxisGroup) in a local array. Local index l of the group is the number that the local indices of
/// its axes form, the first axis being the least digit.
class GroupStrides {
 public:
  /// One axis: the number of its elements, and the distance from one to the next.
  struct Digit {
    Index extent, stride;
  };

  /// `digits`: from the fastest; the extent of the last one is not used. None: a single element.
  explicit GroupStrides(const std::vector<Digit>& digits);

  /// Returns the distance of local index l from local index 0.
  Index offset(Index l) const {
    if (digits_.size() == 1) return l * digits_.front().stride;
    Index sum = 0;
    for (const auto& [extent, stride] : digits_) {
      sum += l % extent * stride;
      l /= extent;
    }
    return sum;
  }
  /// Returns the number of elements from local index l on, at least 1, that have the distance step() each.
  Index regular(Index l) const { return digits_.front().extent - l % digits_.front().extent; }
  Index step() const { return digits_.front().stride; }
  /// Returns whether all elements have the same distance.
  bool is_regular() const { return digits_.size() == 1; }

 private:
  std::vector<Digit> digits_;  // at least one; without those that continue the one before
};

/// The places of a local array's elements: one unit of the traffic each or, if A is transposed, one element of the
/// matrix (Redistribution).
struct ArrayStrides {
  GroupStrides rows;
  std::vector<GroupStrides> cols;  ///< of each group of columns
  Interval span;  ///< from the first element of the subarray to the end of the last one, in elements of the array
};

}  // namespace xredist::core
