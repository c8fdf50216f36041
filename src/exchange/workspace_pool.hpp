// SPDX-License-Identifier: BSD-3-Clause
// The workspaces that no session has.
#pragma once

#include <map>

#include "exchange/workspace.hpp"

namespace xredist::core {

/// Keeps workspaces for later sessions. A workspace whose session has failed drains first: while some of its requests
/// are under way its memory stays as it is, because MPI may access it. A message that nobody receives any more keeps it
/// until MPI_Finalize.
class WorkspacePool {
  using Workspaces = std::multimap<Index, Workspace>;

 public:
  /// A workspace outside the pool. It is not copied and does not move, so keeping it cannot fail.
  using Lease = Workspaces::node_type;

  WorkspacePool() = default;
  ~WorkspacePool();
  WorkspacePool(const WorkspacePool&) = delete;
  WorkspacePool& operator=(const WorkspacePool&) = delete;

  /// Returns the smallest idle workspace of at least `bytes`, or else the largest, or else a new one. Among equal ones
  /// it is the last one used, which the caches may still have. Takes O(log n). Throws std::bad_alloc.
  Lease take(Index bytes);

  /// Takes a workspace back. After a failure, some of its requests may still be under way.
  void keep(Lease space) noexcept;

  /// Makes sure that an idle workspace has buffers of this size. Throws std::bad_alloc.
  void reserve(const BufferSize& size);

  /// Polls one of the workspaces that drain, so that calls take no longer after many failures.
  void drain();

  /// Forgets a channel, which is about to be freed.
  void leave(const Channel& channel);

  std::size_t idle() const { return idle_.size() + (single_ ? 1 : 0); }
  std::size_t draining() const { return draining_.size(); }

 private:
  void put(Lease space) noexcept;

  Lease single_;         // the only idle workspace: most programs need one
  Workspaces idle_;      // by capacity, if there are several
  Workspaces draining_;  // by the turn in which they are polled
  Index turns_ = 0;
};

}  // namespace xredist::core
