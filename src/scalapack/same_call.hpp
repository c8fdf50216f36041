// SPDX-License-Identifier: BSD-3-Clause
// The check that all processes of a context are in the same call.
#pragma once

#include "scalapack/context.hpp"
#include "scalapack/routine.hpp"

namespace xredist::core {

/// Throws InvalidRoutineArgument, on all processes, if they are in different routines, or have made different numbers
/// of calls on the context. Called at the level "reduction" of the option "check" only: at "message",
/// process 0 waits for no other process. Collective: one reduction of two numbers, so that
/// processes meet here whatever they call.
void demand_same_call(const Routine& routine, Index m, Index n, const Context& context, Progress& progress);

}  // namespace xredist::core
