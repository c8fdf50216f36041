// SPDX-License-Identifier: BSD-3-Clause
// Two threads make plans on new communicators at once. A plan on a new communicator is collective, because the library
// duplicates the communicator. MPI_Comm_idup of Open MPI 4.1 may hang if two threads have it under way at once, so the
// library must not do this.
// usage: new_communicators ROUNDS
#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "move.hpp"

namespace {

using xredist::testing::execute_job;
using xredist::testing::Move;
using xredist::testing::rank;
using xredist::testing::size;

constexpr int n = 8, threads = 2;

std::atomic<int> wrong = 0;

// MPI_Comm_idup in calls of the library.
std::atomic<int> idups_under_way = 0, idups_at_once = 0;
thread_local bool called_idup = false;

// Makes a plan on a new communicator in each round, and moves a matrix. The processes draw the same order of ranks, and
// each its own delay.
void run(int thread, MPI_Comm parent, int rounds) {
  std::mt19937 orders(static_cast<unsigned>(7 + thread)), delays(static_cast<unsigned>(1000 * thread + rank()));
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> keys(static_cast<std::size_t>(size()));
    for (int& key : keys) key = static_cast<int>(orders() % 1000);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(parent, 0, keys[static_cast<std::size_t>(rank())], &comm);
    if (delays() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(delays() % 300));
    Move move(comm, {size(), 1, 1, 1}, {1, size(), 1, 1}, n, n, round);
    if (std::exchange(called_idup, false)) --idups_under_way;
    if (move.code != 0 || execute_job(move.job()) != 0 || move.wrong() != 0) {
      ++wrong;
      std::fprintf(stderr, "process %d, thread %d, round %d: an error or a wrong matrix\n", rank(), thread, round);
    }
    MPI_Comm_free(&comm);
  }
}

}  // namespace

// Replaces MPI's function, to notice two threads in it.
extern "C" [[gnu::visibility("default")]] int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request) {
  called_idup = true;
  if (++idups_under_way > 1) ++idups_at_once;
  return PMPI_Comm_idup(comm, copy, request);
}

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    std::puts("skipped: this MPI has no MPI_THREAD_MULTIPLE");
    MPI_Finalize();
    return 77;
  }
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  {
    std::array<MPI_Comm, threads> parents{};
    for (MPI_Comm& parent : parents) MPI_Comm_dup(MPI_COMM_WORLD, &parent);
    std::vector<std::thread> running;
    for (int thread = 0; thread < threads; ++thread)
      running.emplace_back(run, thread, parents[static_cast<std::size_t>(thread)], rounds);
    for (std::thread& thread : running) thread.join();
    for (MPI_Comm& parent : parents) MPI_Comm_free(&parent);
  }
  if (idups_at_once > 0) {
    ++wrong;
    std::fprintf(stderr, "process %d: %d times two threads had MPI_Comm_idup under way\n", rank(),
                 idups_at_once.load());
  }
  if (rank() == 0 && wrong == 0) std::printf("%d rounds on %d processes: all right\n", rounds, size());
  MPI_Finalize();
  return wrong;
}
