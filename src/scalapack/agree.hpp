// SPDX-License-Identifier: BSD-3-Clause
// The processes of a context agree on the arguments of a call, by one of three protocols.
#pragma once

#include "scalapack/agreement.hpp"
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

/// Checks M, N and the matrices whose grids have this process.
MaybeError arguments_error(const Routine& routine, const MatrixMove& move, const CallView& view);

/// The ways to agree on the arguments of a redistribution.
enum class Protocol {
  local,      ///< both grids have all processes of the context: nothing is sent
  broadcast,  ///< process 0 broadcasts its values, because it was a member of both grids in an earlier call
  reduction,  ///< one allreduce distributes and compares the values, and a second one the processes of new grids
};

/// Chooses the protocol of a redistribution. All processes choose the same one.
Protocol choose(const CallView& view, const Context& context);

/// Each of these functions returns the values on which the processes agree, or the error: arguments that differ between
/// processes, or a context that does not cover a grid.
OrError<Agreement> agree_locally(const CallView& view, Context& context);
/// Calls agree_by_reduction() if process 0 is not a member of both grids of this call.
OrError<Agreement> agree_by_broadcast(const Routine& routine, const CallView& view, Context& context,
                                      Progress& progress);
OrError<Agreement> agree_by_reduction(const Routine& routine, const CallView& view, Context& context,
                                      Progress& progress);

/// Returns the values on which the processes agree, or the error, from the comparison of their values. Gathers the
/// processes of new grids by a reduction. Collective: all processes find the same differences before that reduction, so
/// either all of them take part in it or none does.
OrError<Agreement> agreement_of(const Routine& routine, const CallView& view, const Outcome& outcome, Context& context,
                                Progress& progress);

}  // namespace xredist::core
