// SPDX-License-Identifier: BSD-3-Clause
// The state that the library keeps for a process, and the exclusive right to use it.
#pragma once

#include <mpi.h>

#include <mutex>
#include <thread>

#include "exchange/attributes.hpp"
#include "exchange/library_progress.hpp"
#include "exchange/queue.hpp"
#include "exchange/reentrant_mutex.hpp"
#include "exchange/survey.hpp"

namespace xredist::core {

/// All state of the library that is not part of a plan. Made at first use, destroyed by MPI_Finalize.
struct Process {
  /// `mutex`: protects this state.
  explicit Process(ReentrantMutex& mutex);

  /// Returns the lane of this thread. Exchanges of one lane are carried out one after the other. A thread is a lane; if
  /// only one thread at a time may call MPI, all threads are one lane.
  std::thread::id lane() const { return progress.many_threads() ? std::this_thread::get_id() : std::thread::id{}; }

  Host host;
  Queue queue;
  LibraryProgress progress;  ///< of the thread that holds the lock
  Attributes attributes;     ///< the last member, because attached objects are destroyed first
};

/// The exclusive right to use the process's state. Every function that a program can call takes the lock before it
/// accesses anything that outlives the call. The lock is given up while the call waits for other processes, so that
/// threads with communicators of their own do not wait for each other.
class LibraryLock {
 public:
  /// Throws MpiNotRunning.
  LibraryLock();
  LibraryLock(const LibraryLock&) = delete;
  LibraryLock& operator=(const LibraryLock&) = delete;

  Process* operator->() const { return process_; }

 private:
  std::scoped_lock<ReentrantMutex> lock_;
  Process* process_;
};

}  // namespace xredist::core
