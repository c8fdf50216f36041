// What the library keeps for a process, and whose turn it is to use it.
#pragma once

#include <mpi.h>

#include <mutex>
#include <thread>

#include "exchange/attributes.hpp"
#include "exchange/queue.hpp"
#include "exchange/segments.hpp"

namespace xredist::core {

/// Made at first use, freed by MPI_Finalize. All state of the library that is not part of a plan hangs on it.
struct Process {
  Process();

  const bool many_threads;      ///< MPI_THREAD_MULTIPLE: several threads may be in the library at once
  double seconds_per_byte = 0;  ///< of the network, once it is measured
  Segments segments;
  Queue queue;
  Attributes attributes;  ///< last, for what is attached is freed first
};

/// A call of the library has the process's state for itself: every function that a program can call takes a turn
/// before it looks at anything that outlives the call. The turn is given up while the call waits for other processes,
/// so that threads with communicators of their own do not wait for each other.
class Turn {
 public:
  Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  Process& process() const { return *process_; }

  /// Which exchanges are carried out one after the other: those that one thread starts, or all where only one
  /// thread at a time may call MPI.
  std::thread::id lane() const;

  /// Waits for an operation of MPI, while what this process has under way goes on.
  void complete(MPI_Request& request);

  /// Runs what takes part in no exchange and may wait for other processes' turns.
  template <class Operation>
  void aside(Operation operation) {
    const Apart apart(lock_);
    operation();
  }

  /// Lets other threads have a turn; between two looks at what is under way.
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
