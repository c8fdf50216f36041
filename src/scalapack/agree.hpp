// From what each process passed to two layouts that are equal everywhere.
#pragma once

#include "scalapack/call.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {

/// Checks what this process can check alone, then learns what it does not know. Local where A's
/// grid, B's grid and the context have the same processes; one small reduction over the context
/// otherwise (two collectives when a grid is seen for the first time). Does not return on errors:
/// wrong arguments, arguments that differ between processes, a context that does not cover a grid.
/// Of XREDIST_GRIDMAP what is said of B alone is taken as right, and roster_b is -1.
PlanKey agree(const Call& call, Context& context, Turn& turn);

}  // namespace xredist::core
