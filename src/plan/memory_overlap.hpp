// SPDX-License-Identifier: BSD-3-Clause
// Local arrays A and B that share memory.
#pragma once

#include "copy/packer.hpp"
#include "plan/plan.hpp"

namespace xredist::core {

/// Returns the bytes of a local array, from its begin, between the first element of the subarray and the last one.
/// `bytes`: of an element.
template <class SomeArray>
Interval memory_of(const LocalPart& part, const SomeArray& array, Index bytes) {
  if (array.strides != nullptr) return {array.strides->span.begin * bytes, array.strides->span.end * bytes};
  return {(part.rows.begin + part.cols.begin * array.ld) * bytes,
          (part.rows.end + (part.cols.end - 1) * array.ld) * bytes};
}

/// Returns whether the local parts of A's and of B's submatrix share memory. Two submatrices of one array that lie side
/// by side, or one below the other, do not; subarrays of one array with strides may seem to. False on a process without
/// one of the parts.
bool overlap_in_memory(const Plan& plan, ConstArray a, Array b);

}  // namespace xredist::core
