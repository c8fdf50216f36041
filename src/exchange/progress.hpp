// SPDX-License-Identifier: BSD-3-Clause
// What the library does while a call waits for other processes.
#pragma once

#include <mpi.h>

#include <functional>

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

}  // namespace xredist::core
