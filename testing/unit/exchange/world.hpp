// SPDX-License-Identifier: BSD-3-Clause
// Simulated processes with all that the library keeps for a process, and batches that they carry out.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exchange/queue.hpp"
#include "random/local_array.hpp"
#include "random/random_batch.hpp"
#include "simulation.hpp"

namespace xredist::testing {

/// The state of a process, as the library keeps it.
struct Process {
  Host host;
  Queue queue;
  std::vector<std::unique_ptr<Channel>> channels;  // the last member: channels end first
};

/// The processes of a communicator. Each has one or more channels.
class World {
 public:
  World(const Communicator& communicator, int channels, const Options& options, unsigned seed, Network network = {});
  /// Ends the channels and queues.
  ~World();

  /// Runs a program on all processes. Fails the test, and returns false, if they wait for each other for ever.
  bool run(const std::function<void(Process&)>& program);

  const Communicator& communicator() const { return communicator_; }
  Simulation& simulation() { return simulation_; }

 private:
  Communicator communicator_;
  Simulation simulation_;
  std::vector<std::unique_ptr<Process>> processes_;
  bool hangs_ = false;
};

/// Lets other processes take their turn while a call waits. `many_threads`: as if several threads used MPI, so that
/// nothing waits inside MPI.
class Turns final : public Progress {
 public:
  explicit Turns(bool many_threads = false) : many_threads_(many_threads) {}
  void complete(MPI_Request& request) override { MPI_Wait(&request, MPI_STATUS_IGNORE); }
  void pause() override { yield(); }
  void run_unlocked(const std::function<void()>& operation) override { operation(); }
  void run_beside(const std::function<void()>& operation) override { operation(); }
  bool many_threads() const override { return many_threads_; }

 private:
  bool many_threads_;
};

/// A batch of redistributions, with the arrays of all processes.
class Moves {
 public:
  /// `of_last`: the members as the last process states them, if it disagrees; the arrays are not filled then.
  Moves(const Communicator& communicator, const std::vector<Placed>& members, const std::vector<Placed>& of_last = {});

  /// Returns the jobs of the process whose turn it is.
  const std::vector<Job>& jobs() const { return own().jobs; }
  int members() const { return static_cast<int>(own().jobs.size()); }

  /// Expects a member to be complete on the process whose turn it is: its part of B is there, and its part of A is
  /// free. Overwrites the part of A.
  void expect_complete(int member);
  void expect_complete();

 private:
  struct Part {
    std::vector<Plan> plans;
    std::vector<std::optional<LocalArray>> a, b, expected;  // by member
    std::vector<Job> jobs;
  };
  const Part& own() const { return at(parts_, own_rank()); }

  std::vector<Part> parts_;  // by rank
};

/// Starts a batch as xredist_start does: if that fails, the other processes are told. Throws.
std::shared_ptr<Exchange> start(Process& process, const Moves& moves, Channel& channel, std::thread::id lane = {});

/// Tells the other processes that this one cannot start a batch.
void withdraw(const Moves& moves, Channel& channel);

/// Waits for an exchange or for one of its members, if the process takes part. Throws.
void wait(Process& process, const std::shared_ptr<Exchange>& exchange, Progress& progress, int member = Queue::all);

/// Waits for an exchange in which another process has found a disagreement. Expects the withdrawal to hold for ever, if
/// this process is told: its own part may have been complete before.
void wait_or_be_told_for_ever(Process& process, const std::shared_ptr<Exchange>& exchange, Progress& progress);

/// Returns a move of a matrix of m x n elements of 8 bytes, in one block on process `from`, to process `to`.
Placed whole_matrix(Index m, Index n, int from, int to, const Options& options = {});

/// Bytes of shared memory with which messages go through it.
inline constexpr Index shared_memory = Index{1} << 20;

/// Returns `size` processes on one node, with `shared_bytes` of shared memory each (0: none).
Communicator one_node(int size, Index shared_bytes = 0);

}  // namespace xredist::testing
