// SPDX-License-Identifier: BSD-3-Clause
// Processes of MPI that take turns in one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "simulated/mpi.h"

namespace xredist::testing {

/// How MPI treats messages.
struct Network {
  double eager = 0.5;      ///< share of the messages that MPI stores, so that the send completes at once
  double delivered = 0.5;  ///< probability that a message arrives in a turn, and that a test finds a completed request
};

/// Runs a program on several processes. A seed decides whose turn is next, when messages arrive, and which completed
/// requests a test finds. Messages of one sender, receiver, tag and communicator do not overtake each other; all others
/// do. A receive that is too short ends with MPI_ERR_TRUNCATE. Fails the test if a request is used for a second
/// message.
class Simulation {
 public:
  Simulation(int processes, unsigned seed, Network network = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  int size() const;
  /// Returns a new communicator of all processes.
  MPI_Comm communicator();

  /// Runs program(rank) on every process. Returns false if the processes wait for each other for ever; their programs
  /// are abandoned then.
  bool run(const std::function<void(int rank)>& program);

  /// Returns the maximum, over all processes, of the messages that were stored at their receivers at once.
  int max_stored() const;
  /// Returns the number of messages that all processes have sent.
  int sent() const;
  /// Returns the number of messages that no process has received.
  int unreceived() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// The bound of tags that MPI_COMM_WORLD has: the least that MPI allows, unless a test changes it.
inline int tag_bound = 32767;

/// Returns the rank of the process whose turn it is.
int own_rank();

/// Ends the turn of this process.
void yield();

/// Returns a communicator that no process sends on, and that belongs to one process: as a key of attributes.
MPI_Comm new_communicator();

/// Combines `bytes` bytes of all processes, in place. Returns when all processes have called.
void all_reduce(MPI_Comm comm, void* values, std::size_t bytes,
                void (*combine)(void* into, const void* from, std::size_t));
/// Sends `bytes` bytes from rank `root` to all others. The root does not wait.
void broadcast_from(MPI_Comm comm, void* values, std::size_t bytes, int root);
/// Returns the number of collective operations of the process whose turn it is.
int collective_operations(MPI_Comm comm);

/// Returns whether a communicator has been freed on the process whose turn it is.
bool is_freed(MPI_Comm comm);

}  // namespace xredist::testing
