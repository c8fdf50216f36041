// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of each process to two layouts that are equal on all processes.
#pragma once

#include "scalapack/call.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {

/// Checks what this process can check alone, then learns what it does not know. Local if A's grid, B's grid and the
/// context have the same processes, and no plan is wanted. Otherwise one small reduction over the context, and a second
/// one if a grid is seen for the first time. `wrong`: what the caller has found wrong. Does not return on errors:
/// invalid arguments, arguments that differ between processes, a context that does not cover a grid. A plan that
/// returns errors throws the same WrongArgument on all processes, that of the first argument which any of them finds
/// wrong. For XREDIST_GRIDMAP the values of B are not checked here, and roster_b is -1.
PlanKey agree(const Call& call, Wrong wrong, Context& context, LibraryLock& lock);

}  // namespace xredist::core
