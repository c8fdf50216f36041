// SPDX-License-Identifier: BSD-3-Clause
// Operations of the C interface: which are valid, and what they mean.
#pragma once

#include <vector>

#include "layout/layout.hpp"
#include "plan/operation.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// Some elements of B, and what they become.
struct RegionOperation {
  Region region;
  Operation operation;
};

/// Nothing if the operation is not valid for an m x n submatrix. Two parts for a triangle that is mirrored.
std::vector<RegionOperation> parts_of(const xredist_operation& operation, Index m, Index n);

/// A value of a type, from memory.
std::complex<double> scalar_from(Type type, const void* value);

}  // namespace xredist::core
