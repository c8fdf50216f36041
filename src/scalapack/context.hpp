// What is remembered of a context from call to call.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <vector>

#include "exchange/channel.hpp"
#include "plan/plan.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

/// Ranks, in the context, of the processes of a grid, row-major.
struct Roster {
  Index id;  ///< never used again in this context
  std::vector<int> ranks;
};

/// Two layouts and what moves between them: all that a plan depends on.
struct PlanKey {
  Index roster_a, roster_b;
  Layout a, b;
  Index m, n;
  Region region;
  Index bytes;
  friend bool operator==(const PlanKey&, const PlanKey&) = default;
};

/// Hangs on the context's communicator (or MPI_COMM_WORLD) and goes with it. Context handles are
/// never used as keys: BLACS gives them out again.
class Context {
 public:
  /// Collective over comm, which is a context's, or MPI_COMM_WORLD. Throws as channel_of.
  Context(MPI_Comm comm, Turn& turn);

  MPI_Comm comm() const { return comm_; }
  Channel& channel() const { return channel_; }

  /// The roster of a grid by the grid's own communicator, if it is known. Local.
  const Roster* roster_of(MPI_Comm grid) const;
  const Roster* roster(Index id) const;
  /// Remembers a roster, and for members (grid != MPI_COMM_NULL) whose it is. A grid made anew from the
  /// same processes gets the roster of the old one, and so its plans. Called by all processes of the
  /// context in the same order, so that ids and what is forgotten agree.
  const Roster& add_roster(std::vector<int> ranks, MPI_Comm grid);
  /// Once in a call, before its rosters are looked up: they stay until the next call.
  void forget_old_rosters();

  /// What plans of a call that moves so many bytes have to know of the ways between processes. Once in every call,
  /// before its plan is looked up; collective where more has to be found out: not in first calls that are small.
  const Links& links_for(Index bytes, Turn& turn);

  /// The plan for `key`, or nullptr. The least recently used ones are forgotten.
  const Plan* find_plan(const PlanKey& key);
  const Plan& add_plan(const PlanKey& key, Plan plan);

 private:
  struct Entry {
    PlanKey key;
    Plan plan;
  };

  MPI_Comm comm_;
  std::unique_ptr<Channel> within_;  // the context's
  Channel& channel_;                 // it, or that of MPI_COMM_WORLD
  Index serial_;
  Index calls_ = 0;
  Index next_roster_ = 0;
  std::deque<Roster> rosters_;
  std::vector<std::unique_ptr<Entry>> plans_;  // most recently used first
};

/// The call's context; fails if this process is not a member. Collective over it the first time, local
/// afterwards. Throws as channel_of.
Context& context_of(const Call& call, Turn& turn);

}  // namespace xredist::core
