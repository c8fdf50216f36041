// SPDX-License-Identifier: BSD-3-Clause
// The processes of grids, as a context numbers them.
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "exchange/attributes.hpp"
#include "exchange/channel.hpp"
#include "exchange/progress.hpp"
#include "scalapack/blacs.hpp"

namespace xredist::core {

/// The ranks in the context of the processes of a grid, row-major.
struct Roster {
  Index id;                  ///< unique in the life of the context
  bool has_this, has_first;  ///< whether this process, and rank 0, are among the ranks
  Grids::Ranks ranks;
};

/// The rosters that a context knows, and the state of agreements on calls. The id of a roster is attached to the
/// communicator of its grid. All processes of the context call the functions that change the rosters in the same order.
class Rosters {
 public:
  /// `context`: the communicator of the context, in which this process has this rank.
  Rosters(Attributes& attributes, MPI_Comm context, int rank);

  /// Number of calls, from now on, in which process 0 of the context broadcasts its values, because it was a member of
  /// both grids before. Equal on all processes.
  int broadcasts = 0;

  /// Number of calls of the drop-in, with this one.
  Index calls = 0;

  /// Allocates the memory of positions(). Called once, before the first agreement.
  void reserve(int processes) { positions_.resize(2 * as_size(processes)); }
  /// Returns a buffer for the positions of each process of the context in two grids.
  std::span<int> positions() { return positions_; }

  /// Returns whether this is the communicator of the context.
  bool is_context(MPI_Comm grid) const { return grid == context_; }

  /// Returns the roster of the grid with this communicator, or nullptr. Local.
  const Roster* of_grid(MPI_Comm grid) const;
  const Roster* find(Index id) const;
  /// Stores a roster. Members of the grid (grid != MPI_COMM_NULL) also attach it to the grid. A new grid of the same
  /// processes shares the roster, and with it the plans, of the old grid. All processes of the context call this in the
  /// same order, so they assign the same ids and forget the same rosters.
  const Roster& add(std::vector<int> ranks, MPI_Comm grid);
  /// Forgets all rosters, because processes may know different rosters after a failure. All processes call this.
  void forget();
  /// Forgets the oldest rosters. Called once per call, before any roster is looked up.
  void forget_old();

 private:
  Attributes& attributes_;  // of the process
  MPI_Comm context_;
  int rank_;
  Index serial_;  // of the context
  Index next_id_ = 0;
  std::vector<Roster> all_;
  std::vector<int> positions_;
};

/// Fills `positions`, by one reduction, with the positions of all processes of the context in the first grid, then
/// those in the second one; -1 for a process outside. Returns `positions`. Only the members of a grid know its
/// processes.
std::span<const int> gather_positions(const Grid& first, const Grid& second, std::span<int> positions,
                                      const Channel& channel, Progress& progress);

}  // namespace xredist::core
