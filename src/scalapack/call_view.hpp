// SPDX-License-Identifier: BSD-3-Clause
// A call as one process sees it, before the processes agree.
#pragma once

#include "scalapack/call_values.hpp"
#include "scalapack/context.hpp"
#include "scalapack/move.hpp"

namespace xredist::core {

/// The grid of a matrix as this process sees it.
struct GridView {
  Which which;
  xredist_int ctxt;
  Grid grid;
  MPI_Comm comm = MPI_COMM_NULL;  ///< of the grid, if this process is a member
  Index roster = unknown;         ///< its number; -1 if this process is a member and does not know it
};

/// A call as this process sees it.
struct CallView {
  GridView a, b;
  Arguments passed;

  const GridView& operator[](Which which) const { return which == Which::a ? a : b; }
};

/// Returns the call as this process sees it. The arguments need not be valid. Forgets the oldest rosters, so it is
/// called once per call. Local; allocates nothing.
CallView view_of(const MatrixMove& move, Context& context);

/// Returns the call of one matrix as this process sees it. The other matrix has no grid, and all processes know its
/// values.
CallView view_of_one(Which which, const MatrixMove& move, Context& context);

}  // namespace xredist::core
