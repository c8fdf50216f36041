// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of each process to two layouts that are equal on all processes.
#pragma once

#include "scalapack/call.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {

/// Checks the arguments, and has all processes of the context agree on them. Nothing is sent if both grids contain all
/// processes of the context and no plan is wanted. Otherwise one allreduce distributes and compares the arguments, and
/// a second one the processes of a grid that is seen for the first time. `error` is one that the caller has found.
///
/// Ends the program on an error: a wrong argument, arguments that differ between processes, or a context that does not
/// cover a grid. For a plan, all processes throw the same InvalidArgument instead, about the first argument that is
/// wrong on any process. XREDIST_GRIDMAP checks the values of B itself and gets roster_b = -1.
PlanKey agree(const Call& call, Checked error, Context& context, LibraryLock& lock);

}  // namespace xredist::core
