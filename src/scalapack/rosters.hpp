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
#include "scalapack/values.hpp"

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

  /// Allocates the memory of words(). Called once, before the first agreement.
  void reserve(int processes) { words_.resize(compared_words + as_size(processes)); }
  /// Returns the memory of a reduction: of the values that processes compare, and of the places of each process.
  std::span<Index> words() { return words_; }
  /// Returns the part for the places of each process in two grids.
  std::span<Index> places() { return words().subspan(compared_words); }

  /// Returns whether no grid is known. Equal on all processes.
  bool empty() const { return all_.empty(); }

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
  std::vector<Index> words_;
};

/// Returns the places, row-major, of a process in two grids, as one word: the maximum over all processes gathers them.
Index packed_places(const Grid& first, const Grid& second);
/// Returns the place in the first or the second grid; -1 outside.
int place_in(std::size_t grid, Index packed);

}  // namespace xredist::core
