// SPDX-License-Identifier: BSD-3-Clause
// Operations of the interfaces: errors in them, and the regions and types that they stand for.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/layout_arguments.hpp"
#include "copy/operation.hpp"
#include "copy/redistribution.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// A region of B and the operation on its elements.
struct RegionOperation {
  Region region;
  Operation operation;
};

/// Returns whether rows of B's submatrix are columns of A's.
inline bool transposes(const xredist_operation& operation) { return operation.trans == 'T' || operation.trans == 'C'; }

/// Returns the type that a letter names, if it names one; 'I' names `integer`.
std::optional<Type> type_of(char letter, Type integer = Type::integer);

/// Returns the operation with the defaults of all members that are 0, and with upper-case letters.
xredist_operation with_defaults(xredist_operation operation);

/// The lists of the rows and columns of A or B.
using Lists = std::array<ListArguments, 2>;
Lists lists_of_a(const xredist_operation& operation);
Lists lists_of_b(const xredist_operation& operation);

/// Checks what is known of the lists without the matrices, if m and n are valid.
MaybeError lists_error(const xredist_operation& operation);

/// Checks the layouts of A and B on `size` processes, and the submatrices of an operation that has its defaults.
MaybeError submatrix_error(const xredist_layout* a, const xredist_layout* b, const xredist_operation& operation,
                           int size);

/// Returns the layouts of both submatrices of an operation without errors, from layouts that begin with the submatrix.
std::pair<Layout, Layout> with_lists(std::pair<Layout, Layout> whole, const xredist_operation& operation);

/// Returns the numbers of rows and columns of A's submatrix.
std::array<Index, 2> count_in_a(const xredist_operation& operation);
/// Return the numbers of rows and columns of a matrix up to the end of the submatrix. The operation has no errors.
std::array<Index, 2> end_of_a(const xredist_operation& operation);
std::array<Index, 2> end_of_b(const xredist_operation& operation);

/// Checks the letters of an operation that has its defaults, and the size of its elements.
MaybeError elements_error(const xredist_operation& operation, Type integer = Type::integer);

/// Checks both: all arguments of a plan but its options.
MaybeError operation_error(const xredist_layout* a, const xredist_layout* b, const xredist_operation& operation,
                           Type integer, int size);

/// Returns the options of a plan: those of its communicator, but for the ones that its own text names, which may be
/// NULL. Throws InvalidArgument.
Options options_of(const char* of_plan, Options of_communicator);

/// Returns the region of B that an operation names. A mirrored triangle is a region of its own (parts_of).
Region region_of(const xredist_operation& operation);
/// Returns the operation on the elements of that region, if the operation has no errors.
Operation operation_of(const xredist_operation& operation, Type integer = Type::integer);
/// Returns a number that stands for the types and the letters: processes compare it.
Index signature_of(const xredist_operation& operation);

/// Returns the regions that an operation without errors consists of: two for a triangle that is mirrored, else one.
std::vector<RegionOperation> parts_of(const xredist_operation& operation, Type integer = Type::integer);

/// Reads a scalar of the given type.
Scalar scalar_from(Type type, const void* value);

}  // namespace xredist::core
