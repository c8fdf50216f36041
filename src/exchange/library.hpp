// SPDX-License-Identifier: BSD-3-Clause
// The state that the library keeps for a process, and the exclusive right to use it.
#pragma once

#include <mpi.h>

#include <mutex>
#include <thread>

#include "exchange/attributes.hpp"
#include "exchange/queue.hpp"
#include "exchange/survey.hpp"

namespace xredist::core {

/// All state of the library that is not part of a plan. Made at first use, destroyed by MPI_Finalize.
struct Process {
  explicit Process(std::recursive_mutex& mutex);

  const bool many_threads;  ///< MPI_THREAD_MULTIPLE: several threads may be in the library at once
  Host host;
  Queue queue;
  Attributes attributes;  ///< the last member, because attached objects are destroyed first
};

/// The exclusive right to use the process's state. Every function that a program can call takes the lock before it
/// accesses anything that outlives the call. The lock is given up while the call waits for other processes, so that
/// threads with communicators of their own do not wait for each other.
class LibraryLock final : public Progress {
 public:
  LibraryLock();
  LibraryLock(const LibraryLock&) = delete;
  LibraryLock& operator=(const LibraryLock&) = delete;

  Process& process() const { return *process_; }

  /// Returns the lane of this thread. Exchanges of one lane are carried out one after the other. A thread is a lane; if
  /// only one thread at a time may call MPI, all threads are one lane.
  std::thread::id lane() const;

  void complete(MPI_Request& request) override;
  void pause() override;
  void run_unlocked(const std::function<void()>& operation) override;
  void run_beside(const std::function<void()>& operation) override;
  bool many_threads() const override { return process_->many_threads; }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  Process* process_;
};

}  // namespace xredist::core
