// SPDX-License-Identifier: BSD-3-Clause
// The state of a context between calls: channel, rosters, cached plans and arguments without errors.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "api/everywhere.hpp"
#include "api/matrix_operation.hpp"
#include "api/tuning.hpp"
#include "exchange/channels.hpp"
#include "scalapack/move.hpp"
#include "scalapack/plan_cache.hpp"
#include "scalapack/rosters.hpp"
#include "watch/watched.hpp"

namespace xredist::core {

/// Attached to the context's communicator (or MPI_COMM_WORLD) and freed with it. Context handles are no keys, because
/// BLACS reuses them.
class Context {
 public:
  /// Makes the state for the drop-in. comm is the communicator of a context, or MPI_COMM_WORLD. Collective. Throws as
  /// channel_of.
  Context(MPI_Comm comm, const LibraryLock& lock);
  /// Makes the state for plans, on a given channel. Local.
  Context(MPI_Comm comm, Channel& channel, const LibraryLock& lock);

  MPI_Comm comm() const { return comm_; }
  Channel& channel() const { return channel_; }

  Rosters rosters;
  PlanCache plans;
  /// Counts a call. The watch learns of its number and of the grids.
  void count_call(const View& view) {
    ++rosters.calls;
    state_if_watched([&](Call& call) { state_call(view, call); });
  }
  /// Returns whether remember() has lately been called with these arguments. Local.
  bool is_known(const Passed& arguments) const;
  /// Remembers arguments without errors. Does nothing if this process is in a grid whose roster it did not know: in a
  /// later call with equal arguments, only an equal roster shows that the process has the same place in the grid.
  void remember(const Passed& arguments);

  /// Explores the links of the channel unless the call is one of the first and moves few bytes. Called once per call,
  /// before the plan is looked up. Collective the first time that links are explored.
  void explore_for(Index bytes, Progress& progress);

 private:
  void state_call(const View& view, Call& call) const;

  MPI_Comm comm_;
  OwnedChannel within_;  // on a context's communicator
  Channel& channel_;     // *within_, or on a duplicate
  Index calls_ = 0;      // until the links are explored
  std::array<Passed, 4> known_{};
  std::size_t last_known_ = 0;
};

/// Returns the communicator of the caller's context, by default MPI_COMM_WORLD. Throws InvalidRoutineArgument if this
/// process is not in the context.
MPI_Comm communicator_of(const Caller& caller);

/// Returns the context with this communicator. Collective the first time, local afterwards. Throws as channel_of.
Context& context_of(MPI_Comm comm, const LibraryLock& lock);

/// Returns the context in which plans are made. Its channel is the one that xredist.h has for the communicator of the
/// context, where processes tell each other of failures; its links are explored.
Context& context_for_plans(MPI_Comm comm, const LibraryLock& lock);

/// Returns the value of `compute` on each process of the context, as everywhere() does. After a failure the context
/// forgets its rosters, because processes may know different ones. Collective.
template <class Compute>
auto on_context(Context& context, const LibraryLock& lock, const Compute& compute) try {
  return everywhere(compute, context.channel().comm(), lock->progress);
} catch (...) {
  context.rosters.forget();
  throw;
}

/// Returns the layout of a matrix on whose values the processes have agreed.
Layout agreed_layout(const MatrixValues& values, const MatrixArguments& matrix);

/// Returns the arguments of plans on whose values the processes have agreed, of which so many executions are expected.
PlanSource plan_source(const Routine& routine, const Context& context, const Values& agreed, const Options& options,
                       double executions);
/// Returns the redistribution of a move on whose values the processes have agreed.
Redistribution redistribution_of(const MatrixMove& move, const Values& agreed);
/// Makes the plan of such a move.
Plan plan_call(const MatrixMove& move, const Context& context, const Values& agreed, const PlanSource& source);

}  // namespace xredist::core
