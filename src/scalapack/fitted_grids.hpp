// SPDX-License-Identifier: BSD-3-Clause
// The BLACS grids that the library makes for a context.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "exchange/library.hpp"
#include "fit/fitted_layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/values.hpp"

namespace xredist::core {

/// All that a fit depends on, besides the nodes.
struct FitQuestion {
  Values agreed;  ///< without the number of A's roster, which may stand for another grid later
  std::vector<int> ranks_a;
  Rules rules;

  friend bool operator==(const FitQuestion&, const FitQuestion&) = default;
};

/// The fits of a context and their grids. Attached to the context's communicator, and freed with it. All processes of
/// the context make the same calls.
class FittedGrids {
 public:
  FittedGrids() = default;
  ~FittedGrids() { free(); }
  FittedGrids(const FittedGrids&) = delete;
  FittedGrids& operator=(const FittedGrids&) = delete;

  /// Returns the answer to one of the last questions, or nullptr.
  const Fitted* find(const FitQuestion& question) const;
  const Fitted& remember(FitQuestion question, Fitted fitted);

  /// Allocates the memory that make_grid() needs.
  void reserve(const Fitted& fitted, Attributes& attributes);
  /// Returns whether this process knows of no such grid, or the program has freed the grid.
  bool grid_missing(const Fitted& fitted) const;
  /// Makes the grid for which reserve() was called last. Collective over the communicator of the context.
  void make_grid(MPI_Comm comm, Attributes& attributes, Progress& progress);
  /// Returns the BLACS context of the grid; -1 outside the grid.
  xredist_int grid(const Fitted& fitted) const;

  /// Frees all grids. Collective.
  void free() noexcept;

 private:
  struct Known {
    FitQuestion question;
    Fitted fitted;
  };
  // Attached to the communicator of a grid, so that it expires with the grid, whoever frees it.
  struct GridLife {
    std::shared_ptr<const void> life;
  };
  struct BlacsGrid {
    Index nprow, npcol;
    std::vector<int> ranks;
    xredist_int ctxt;
    std::weak_ptr<const void> life;

    bool usable() const { return ctxt < 0 || !life.expired(); }
  };
  std::vector<BlacsGrid>::const_iterator position(const Fitted& fitted) const;

  std::vector<Known> known_;  // oldest first
  std::vector<BlacsGrid> grids_;
  BlacsGrid next_{};
  std::vector<xredist_int> usermap_;
  std::unique_ptr<GridLife> next_life_;
};

/// Returns the grids of the context with this communicator, or nullptr. Local.
inline FittedGrids* fitted_grids(MPI_Comm comm, const LibraryLock& lock) {
  return lock->attributes.find<FittedGrids>(comm);
}

}  // namespace xredist::core
