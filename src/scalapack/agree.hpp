// SPDX-License-Identifier: BSD-3-Clause
// The processes of a context agree on the arguments of a call.
#pragma once

#include "scalapack/question.hpp"

namespace xredist::core {

/// Returns the values on which the processes of a redistribution agree, by one of three protocols. Throws
/// InvalidRoutineArgument if the processes are in different calls, arguments differ between them, or the context does
/// not cover a grid; perhaps not on all processes, so a failure ends the program. Collective.
Values agree(const Question& question, const View& view, Rosters& rosters, const Channel& channel, Progress& progress);

/// Returns the values on which all processes agree, by one reduction, and perhaps a second one for the processes of new
/// grids. (In the first call on a context all grids are new, and one reduction serves both.)
/// `mine`: the failure of this process's checks, or nullptr. If any process has failed, or calls or arguments differ,
/// all processes throw; everywhere() makes theirs the same failure. Collective.
Values agree_by_reduction(const Question& question, const View& view, const Failure* mine, Rosters& rosters,
                          const Channel& channel, Progress& progress);

}  // namespace xredist::core
