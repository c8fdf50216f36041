// SPDX-License-Identifier: BSD-3-Clause
// Progress while a call waits for other processes, and the collective operations, which make progress while they wait.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <span>

namespace xredist::core {

/// Keeps the exchanges that are under way moving while a call waits, and lets other threads use the library.
class Progress {
 public:
  /// Waits for a request of MPI.
  virtual void complete(MPI_Request& request) = 0;
  /// Lets other threads use the library. Called repeatedly while a call waits.
  virtual void pause() = 0;
  /// Runs an operation that takes part in no exchange, while other threads may use the library.
  virtual void run_unlocked(const std::function<void()>& operation) = 0;
  /// Runs an operation on another thread, and makes progress until the operation has ended. Only where several threads
  /// may call MPI at once.
  virtual void run_beside(const std::function<void()>& operation) = 0;
  /// Returns whether several threads may call MPI at once.
  virtual bool many_threads() const = 0;

 protected:
  ~Progress() = default;
};

/// Returns a duplicate of comm, and adds the `values` of its processes, in place.
MPI_Comm duplicate(MPI_Comm comm, std::span<std::uint64_t> values, Progress& progress);

/// Reduces `values` in place, on all processes.
void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Progress& progress);

/// Returns when all processes of comm have called.
void synchronise(MPI_Comm comm, Progress& progress);

/// Broadcasts from rank `root`.
void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Progress& progress, int root = 0);

}  // namespace xredist::core
