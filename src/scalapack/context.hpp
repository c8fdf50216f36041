// SPDX-License-Identifier: BSD-3-Clause
// The state of a context between calls.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "exchange/channels.hpp"
#include "plan/plan.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

/// The ranks in the context of the processes of a grid, row-major.
struct Roster {
  Index id;  ///< unique in the life of the context
  std::vector<int> ranks;
};

/// All that a plan depends on: two layouts, and the elements that move between them.
struct PlanKey {
  Index roster_a, roster_b;
  Layout a, b;
  Index m, n;
  Region region;
  Index bytes;
  Operation operation{};
  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

/// Attached to the context's communicator (or MPI_COMM_WORLD) and freed with it. Context handles are no keys, because
/// BLACS reuses them.
class Context {
 public:
  /// For the drop-in: comm is the communicator of a context, or MPI_COMM_WORLD. Collective. Throws as channel_of.
  Context(MPI_Comm comm, LibraryLock& lock);
  /// For plans, on a given channel. Local.
  Context(MPI_Comm comm, Channel& channel, LibraryLock& lock);

  MPI_Comm comm() const { return comm_; }
  Channel& channel() const { return channel_; }

  /// Returns the roster of the grid with this communicator, or nullptr. Local.
  const Roster* roster_of(MPI_Comm grid) const;
  const Roster* roster(Index id) const;
  /// Stores a roster. Members of the grid (grid != MPI_COMM_NULL) also attach it to the grid. A new grid of the same
  /// processes shares the roster, and with it the plans, of the old grid. All processes of the context call this in the
  /// same order, so they assign the same ids and forget the same rosters.
  const Roster& add_roster(std::vector<int> ranks, MPI_Comm grid);
  /// Forgets all rosters, because processes may know different rosters after a failure. All processes call this.
  void forget_rosters();
  /// Forgets the oldest rosters. Called once per call, before any roster is looked up.
  void forget_old_rosters();
  /// Returns a buffer for two positions of each process. A context for plans allocates it in the constructor.
  std::span<int> positions();

  /// Explores the links of the channel unless the call is one of the first and moves few bytes. Called once per call,
  /// before the plan is looked up. Collective the first time that links are explored.
  void explore_for(Index bytes, LibraryLock& lock);

  /// Returns the plan for `key`, or nullptr. The least recently used plans are forgotten.
  const Plan* find_plan(const PlanKey& key);
  const Plan& add_plan(const PlanKey& key, Plan plan);

 private:
  struct KnownPlan {
    PlanKey key;
    Plan plan;
  };

  MPI_Comm comm_;
  Attributes& attributes_;  // of the process
  OwnedChannel within_;     // on a context's communicator
  Channel& channel_;        // *within_, or on a duplicate
  Index serial_;
  Index calls_ = 0;
  Index next_roster_ = 0;
  std::deque<Roster> rosters_;
  std::vector<int> positions_;
  std::vector<std::unique_ptr<KnownPlan>> plans_;  // most recently used first
};

/// Returns the context of a call. Collective over the context the first time, local afterwards. Ends the program if
/// this process is not a member. Throws as channel_of.
Context& context_of(const Call& call, LibraryLock& lock);

/// Returns the context of a call that makes a plan. Its channel is the one that xredist.h has for the communicator of
/// the context, where processes tell each other of failures; its links are explored.
Context& context_for_plans(const Call& call, LibraryLock& lock);

/// Checks the arguments, and has all processes of the context agree on them. Nothing is sent if both grids contain all
/// processes of the context and no plan is wanted. Otherwise one allreduce distributes and compares the arguments, and
/// a second one the processes of a grid that is seen for the first time. `error` is one that the caller has found.
///
/// Ends the program on an error: a wrong argument, arguments that differ between processes, or a context that does not
/// cover a grid. For a plan, all processes throw the same InvalidArgument instead, about the first argument that is
/// wrong on any process. XREDIST_GRIDMAP checks the values of B itself and gets roster_b = -1.
PlanKey agree(const Call& call, Checked error, Context& context, LibraryLock& lock);

/// Makes the plan for a key on which the processes have agreed.
Plan make_plan(const char* routine, const Context& context, const PlanKey& key);

}  // namespace xredist::core
