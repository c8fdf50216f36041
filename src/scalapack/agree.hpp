// SPDX-License-Identifier: BSD-3-Clause
// The processes of a context agree on the arguments of a call, by one of three protocols.
#pragma once

#include "scalapack/call_view.hpp"

namespace xredist::core {

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
OrError<CallValues> agree_locally(const CallView& view, Context& context);
/// Calls agree_by_reduction() if process 0 is not a member of both grids of this call, or does not know their rosters.
OrError<CallValues> agree_by_broadcast(const Routine& routine, const CallView& view, Context& context,
                                       Progress& progress);
OrError<CallValues> agree_by_reduction(const Routine& routine, const CallView& view, Context& context,
                                       Progress& progress);

/// Returns the values on which the processes agree, or the error, from the comparison of their values. Gathers the
/// processes of new grids by a reduction. Collective: all processes find the same differences before that reduction, so
/// either all of them take part in it or none does.
OrError<CallValues> agreement_of(const Routine& routine, const CallView& view, const Outcome& outcome, Context& context,
                                 Progress& progress);

}  // namespace xredist::core
