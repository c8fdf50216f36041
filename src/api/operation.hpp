// SPDX-License-Identifier: BSD-3-Clause
// Operations of the C interface: errors in them, and the regions and types that they stand for.
#pragma once

#include <optional>
#include <vector>

#include "api/arguments.hpp"
#include "copy/operation.hpp"

namespace xredist::core {

/// A region of B and the operation on its elements.
struct RegionOperation {
  Region region;
  Operation operation;
};

/// Returns the type that a letter names, if it names one; 'I' names `integer`.
std::optional<Type> type_of(char letter, Type integer = Type::integer);

/// Checks the fields of an operation on an m x n submatrix.
Checked operation_error(const ArgumentRef& argument, const xredist_operation& operation, Index m, Index n,
                        Type integer = Type::integer);

/// Returns the regions that an operation without errors consists of: two for a triangle that is mirrored, else one.
std::vector<RegionOperation> parts_of(const xredist_operation& operation, Index m, Index n,
                                      Type integer = Type::integer);

/// Returns whether rows of B's submatrix are columns of A's.
inline bool transposes(const xredist_operation& operation) { return operation.trans == 'T' || operation.trans == 'C'; }

/// Reads a scalar of the given type.
Scalar scalar_from(Type type, const void* value);

}  // namespace xredist::core
