// SPDX-License-Identifier: BSD-3-Clause
// The processes of a context agree on the arguments of a call.
#pragma once

#include "exchange/channels.hpp"
#include "scalapack/context.hpp"
#include "scalapack/question.hpp"

namespace xredist::core {

/// Returns the values on which the processes of a redistribution agree, by one of three protocols. Throws
/// InvalidRoutineArgument if arguments differ between processes, or the context does not cover a grid; perhaps not on
/// all processes, so a failure ends the program. Collective.
Values agree(const Question& question, const View& view, Context& context, Progress& progress);

/// Returns the values on which all processes agree, by one reduction, and a second one for the processes of new grids.
/// `mine`: the failure of this process's checks, or nullptr. If any process has failed, or arguments differ, all
/// processes throw; everywhere() makes theirs the same failure. Collective.
Values agree_by_reduction(const Question& question, const View& view, const Failure* mine, Context& context,
                          Progress& progress);

/// Returns the value of `compute` on each process of the context, as everywhere() does. After a failure the context
/// forgets its rosters, because processes may know different ones. Collective.
template <class Compute>
auto on_context(Context& context, const LibraryLock& lock, const Compute& compute) try {
  return everywhere(compute, context.channel().comm(), lock->progress);
} catch (...) {
  context.rosters.forget();
  throw;
}

}  // namespace xredist::core
