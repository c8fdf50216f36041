// SPDX-License-Identifier: BSD-3-Clause
// The state that the library keeps for a process, and the right to use it.
#pragma once

#include <mpi.h>

#include <mutex>
#include <thread>

#include "exchange/attributes.hpp"
#include "exchange/queue.hpp"
#include "exchange/segments.hpp"
#include "plan/links.hpp"

namespace xredist::core {

/// All state of the library that is not part of a plan. Made at first use, freed by MPI_Finalize.
struct Process {
  Process();

  const bool many_threads;    ///< MPI_THREAD_MULTIPLE: several threads may be in the library at once
  Speed network{}, memory{};  ///< as measured once: between nodes, and between processes of this one
  Segments segments;
  Queue queue;
  Attributes attributes;  ///< the last member, because attached objects are freed first
};

/// The right to use the process's state, which one thread has at a time. Every function that a program can call takes a
/// turn before it accesses anything that outlives the call. A turn is given up while the call waits for other
/// processes, so that threads with communicators of their own do not wait for each other.
class Turn {
 public:
  Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  Process& process() const { return *process_; }

  /// Exchanges of one lane are carried out one after the other. A thread is a lane; if only one thread at a time may
  /// call MPI, all threads are one lane.
  std::thread::id lane() const;

  /// Waits for an operation of MPI. Exchanges that are under way make progress meanwhile.
  void complete(MPI_Request& request);

  /// Runs something that takes part in no exchange and may wait for other processes, without the turn.
  template <class Operation>
  void aside(Operation operation) {
    const Apart apart(lock_);
    operation();
  }

  /// Lets other threads have a turn. Called repeatedly while this one waits.
  void pause();

 private:
  struct Apart {
    explicit Apart(std::unique_lock<std::recursive_mutex>& lock) : lock_(lock) { lock_.unlock(); }
    ~Apart() { lock_.lock(); }
    std::unique_lock<std::recursive_mutex>& lock_;
  };

  std::unique_lock<std::recursive_mutex> lock_;
  Process* process_;
};

}  // namespace xredist::core
