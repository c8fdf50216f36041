// SPDX-License-Identifier: BSD-3-Clause
// Operations of the C interface: which are valid, and what they mean.
#pragma once

#include <optional>
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

/// The type that a letter names, if it does. `integer`: that of 'I'.
std::optional<Type> type_of(char letter, Type integer = Type::integer);

/// The name of the first field that is wrong for an m x n submatrix, or nullptr.
const char* wrong_field(const xredist_operation& operation, Index m, Index n, Type integer = Type::integer);

/// What a valid operation does: two things for a triangle that is mirrored.
std::vector<RegionOperation> parts_of(const xredist_operation& operation, Index m, Index n,
                                      Type integer = Type::integer);

/// Whether rows of B's submatrix are columns of A's.
inline bool transposes(const xredist_operation& operation) { return operation.trans == 'T' || operation.trans == 'C'; }

/// A value of a type, from memory.
Scalar scalar_from(Type type, const void* value);

}  // namespace xredist::core
