// SPDX-License-Identifier: BSD-3-Clause
// The arguments that describe a matrix on a BLACS grid, and their checks on one process.
#pragma once

#include <array>

#include "api/arguments.hpp"
#include "api/matrix_operation.hpp"
#include "copy/operation.hpp"
#include "layout/layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"

namespace xredist::core {

/// A submatrix of a matrix with an array descriptor: an array of two axes, the rows and the columns. On a process
/// outside the grid of the matrix, only desc[ctxt_] and the partitions are defined.
struct MatrixArguments {
  Which which;
  const xredist_int* desc;  ///< NULL, an invalid argument, is like a descriptor outside the grid
  std::array<Index, 2> first{1, 1};
  std::array<const xredist_partition*, 2> partitions{};  ///< nullptr: CYCLIC
  const Lists* lists = nullptr;                          ///< of the rows and columns of the submatrix, or nullptr

  /// Returns an axis on `procs` processes.
  Axis axis(int k, Index procs) const {
    return make_axis(at(partitions, k), desc[mb_ + k], procs, desc[rsrc_ + k], at(first, k) - 1);
  }
};

/// A number of rows or columns, and the name of the argument that passes the number.
struct Count {
  std::string_view name;
  Index value;
};

/// The size of a submatrix along each axis.
using SubmatrixSize = std::array<Count, 2>;

/// Returns the size M x N. `swapped`: M counts the columns, N the rows.
constexpr SubmatrixSize size_of(Index m, Index n, bool swapped = false) {
  const Count of_m{"M", m}, of_n{"N", n};
  return swapped ? SubmatrixSize{of_n, of_m} : SubmatrixSize{of_m, of_n};
}

/// Returns the name of the first index along an axis, "IA".
constexpr std::string_view first_name(Which which, int axis) {
  if (which == Which::a) return axis == 0 ? "IA" : "JA";
  return axis == 0 ? "IB" : "JB";
}

/// INTEGER of the program's Fortran code, which the letter 'I' names.
inline constexpr Type fortran_integer = sizeof(xredist_int) == 8 ? Type::integer64 : Type::integer;

/// Returns the name of the partition of an axis of A or B, "ROWS_A"; "ROWS" or "COLS" in a routine of one matrix.
std::string_view partition_name(const Routine& routine, Which which, int axis);

/// Checks that this process is in the grid of a context.
MaybeError context_error(const ArgumentRef& argument, xredist_int ctxt);
/// Checks M and N.
MaybeError size_error(const Routine& routine, Index m, Index n);

/// Checks the arguments of a matrix but LLD_. This process is in `grid`.
MaybeError dimensions_error(const Routine& routine, const MatrixArguments& matrix, const SubmatrixSize& size,
                            const Grid& grid);
/// Checks the arguments of a matrix. This process is in `grid`.
MaybeError matrix_error(const Routine& routine, const MatrixArguments& matrix, const SubmatrixSize& size,
                        const Grid& grid);

}  // namespace xredist::core
