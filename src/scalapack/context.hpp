// SPDX-License-Identifier: BSD-3-Clause
// What is remembered of a context between calls.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "exchange/channel.hpp"
#include "plan/plan.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

/// The ranks, in the context, of a grid's processes, row-major.
struct Roster {
  Index id;  ///< unique in the life of the context
  std::vector<int> ranks;
};

/// All that a plan depends on: two layouts and what moves between them.
struct PlanKey {
  Index roster_a, roster_b;
  Layout a, b;
  Index m, n;
  Region region;
  Index bytes;
  Operation operation{};
  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

/// Attached to the context's communicator (or MPI_COMM_WORLD) and freed with it. Context handles are not used as keys,
/// because BLACS uses them again.
class Context {
 public:
  /// comm: a context's, or MPI_COMM_WORLD. Collective over comm. Throws as channel_of.
  Context(MPI_Comm comm, Turn& turn);
  /// For plans, on a channel of their own. Local.
  Context(MPI_Comm comm, Channel& channel);

  MPI_Comm comm() const { return comm_; }
  Channel& channel() const { return channel_; }

  /// The roster of the grid with this communicator, or nullptr. Local.
  const Roster* roster_of(MPI_Comm grid) const;
  const Roster* roster(Index id) const;
  /// Remembers a roster; members of the grid (grid != MPI_COMM_NULL) also remember that it is the grid's. A new grid of
  /// the same processes gets the roster of the old one, and with it the plans. All processes of the context call this
  /// in the same order, so that they give the same ids and forget the same rosters.
  const Roster& add_roster(std::vector<int> ranks, MPI_Comm grid);
  /// Forgets all rosters: after a failure processes may know different ones. All processes call this.
  void forget_rosters();
  /// Called once per call, before rosters are looked up: those stay until the next call.
  void forget_old_rosters();
  /// Room for two positions of each process. A context for plans has it from the beginning.
  std::span<int> positions();

  /// Explores the links of the channel unless the call is one of the first and moves few bytes. Called once per call,
  /// before the plan is looked up. Collective the first time that links are explored.
  void explore_for(Index bytes, Turn& turn);

  /// The plan for `key`, or nullptr. Plans that have not been used for the longest time are forgotten.
  const Plan* find_plan(const PlanKey& key);
  const Plan& add_plan(const PlanKey& key, Plan plan);

 private:
  struct KnownPlan {
    PlanKey key;
    Plan plan;
  };

  MPI_Comm comm_;
  std::unique_ptr<Channel> within_;  // on a context's communicator
  Channel& channel_;                 // *within_, or on a duplicate
  Index serial_;
  Index calls_ = 0;
  Index next_roster_ = 0;
  std::deque<Roster> rosters_;
  std::vector<int> positions_;
  std::vector<std::unique_ptr<KnownPlan>> plans_;  // most recently used first
};

/// The call's context. Ends the program if this process is not a member. Collective over the context the first time,
/// local afterwards. Throws as channel_of.
Context& context_of(const Call& call, Turn& turn);

/// The same for plans, on the channel that the functions of xredist.h have for the context's communicator: where an
/// exchange fails, the processes tell each other. Its links are explored.
Context& context_for_plans(const Call& call, Turn& turn);

/// Makes the plan for a key on which the processes have agreed.
Plan make_plan(const char* routine, const Context& context, const PlanKey& key);

}  // namespace xredist::core
