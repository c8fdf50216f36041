// SPDX-License-Identifier: BSD-3-Clause
// Local arrays A and B that share memory.
#pragma once

#include "copy/packer.hpp"
#include "plan/plan.hpp"

namespace xredist::core {

/// Returns whether the local parts of A's and of B's submatrix share memory. Two submatrices of one array that lie side
/// by side, or one below the other, do not; subarrays of one array with strides may seem to. False on a process without
/// one of the parts.
bool overlap_in_memory(const Plan& plan, ConstArray a, Array b);

}  // namespace xredist::core
