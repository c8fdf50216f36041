// SPDX-License-Identifier: BSD-3-Clause
// MatrixMove, the arguments of a redistribution; the functions that carry it out (redistribute.cpp) and those that
// check the arguments (argument_checks.cpp).
#pragma once

#include "api/arguments.hpp"
#include "copy/operation.hpp"
#include "layout/layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"

namespace xredist::core {

/// The arguments of one matrix. On a process outside the grid of the matrix, only desc[ctxt_] is defined.
template <class Pointer>
struct Operand {
  Pointer data;
  Index i, j;  ///< from 1
  const xredist_int* desc;
  const xredist_partition *rows = nullptr, *cols = nullptr;  ///< else CYCLIC
};

/// An m x n submatrix of B, and the submatrix of A whose elements it takes.
struct MatrixMove {
  Index m, n;
  Operand<const void*> a;
  Operand<void*> b;
  Region region{};
  Operation operation{};
  Scalars scalars{};
  Index bytes;     ///< of an element; not used if the operation knows the types
  Index elements;  ///< a number that stands for the types and the operation: processes compare it
};

/// Redistributes, for P?GEMR2D and P?TRMR2D. Returns when this process's part of B is complete and A may be changed, or
/// the error in the arguments. Other errors end the program.
MaybeError redistribute(const Caller& caller, const MatrixMove& move);
/// Redistributes as redistribute() does, but the caller has checked the arguments of this process.
MaybeError redistribute_checked(const Caller& caller, const MatrixMove& move);

/// INTEGER of the program's Fortran code, which the letter 'I' names.
inline constexpr Type fortran_integer = sizeof(xredist_int) == 8 ? Type::integer64 : Type::integer;

/// Checks that this process is in the grid of a context.
MaybeError context_error(const ArgumentRef& argument, xredist_int ctxt);
/// Checks M and N.
MaybeError size_error(const Routine& routine, Index m, Index n);

/// Checks the arguments of a matrix but LLD_. This process is in `grid`.
MaybeError dimensions_error(const Routine& routine, const MatrixMove& move, Which which, const Grid& grid);
/// Checks the arguments of a matrix. This process is in `grid`.
MaybeError matrix_error(const Routine& routine, const MatrixMove& move, Which which, const Grid& grid);
/// Checks M, N and the matrices whose grids have this process. `a`, `b`: the grids of the matrices.
MaybeError arguments_error(const Routine& routine, const MatrixMove& move, const Grid& a, const Grid& b);

}  // namespace xredist::core
