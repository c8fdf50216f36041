// SPDX-License-Identifier: BSD-3-Clause
// The arguments that describe a matrix on a BLACS grid, and their checks on one process.
#pragma once

#include "api/arguments.hpp"
#include "copy/operation.hpp"
#include "layout/layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"

namespace xredist::core {

/// A submatrix that begins with element (i, j), counted from 1, of a matrix with an array descriptor. On a process
/// outside the grid of the matrix, only desc[ctxt_] and the partitions are defined.
struct MatrixArguments {
  Which which;
  const xredist_int* desc;  ///< NULL, an invalid argument, is like a descriptor outside the grid
  Index i = 1, j = 1;
  const xredist_partition *rows = nullptr, *cols = nullptr;  ///< else CYCLIC
};

/// A number of rows or columns, and the name of the argument that passes the number.
struct Count {
  std::string_view name;
  Index value;
};

/// The size of a submatrix.
struct SubmatrixSize {
  Count rows, cols;
};

/// Returns the size M x N. `swapped`: M counts the columns, N the rows.
constexpr SubmatrixSize size_of(Index m, Index n, bool swapped = false) {
  const Count of_m{"M", m}, of_n{"N", n};
  return swapped ? SubmatrixSize{of_n, of_m} : SubmatrixSize{of_m, of_n};
}

/// INTEGER of the program's Fortran code, which the letter 'I' names.
inline constexpr Type fortran_integer = sizeof(xredist_int) == 8 ? Type::integer64 : Type::integer;

/// Returns the name of the partition of the rows or columns of A or B; "ROWS" or "COLS" in a routine of one matrix.
std::string_view partition_name(const Routine& routine, Which which, bool of_rows);

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
