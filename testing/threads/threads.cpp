// SPDX-License-Identifier: BSD-3-Clause
// One, two and four threads, each with its own communicator and BLACS contexts, use the C interface and the drop-in at
// the same time. Then two threads make plans on new communicators at once. A plan on a new communicator is collective,
// because the library duplicates the communicator. MPI_Comm_idup of Open MPI 4.1 may hang if two threads have it under
// way at once, so the library must not do this.
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "grid.hpp"
#include "move.hpp"
#include "xredist/scalapack.h"

namespace {

using xredist::testing::Context;
using xredist::testing::execute_job;
using xredist::testing::Move;
using xredist::testing::rank;
using xredist::testing::row_major;
using xredist::testing::size;

constexpr int n = 300, rounds = 60, new_communicators = 150;

std::atomic<int> wrong = 0;

void require(bool right, const char* what, int thread) {
  if (right) return;
  ++wrong;
  std::fprintf(stderr, "process %d, thread %d: %s\n", rank(), thread, what);
}

// Communicator, contexts and arrays of one thread. The main thread makes them: BLACS can make only one context at a
// time.
struct Own {
  int thread;
  MPI_Comm comm = MPI_COMM_NULL;
  Context rows{row_major(size(), 1)}, cols{row_major(1, size())};

  explicit Own(int number) : thread(number) { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;

  // A plan from blocks of 4 rows to blocks of columns.
  Move move(int block) const { return {comm, {size(), 1, 4, 4}, {1, size(), block, block}, n, n, 1.0 + thread}; }

  void use_plans(int round) {
    Move x = move(5), y = move(6);
    require(x.code == 0 && y.code == 0, "plan_create", thread);
    if (round % 20 == 0) {
      const xredist_job job = x.job();
      require(xredist_plan_tune(x.plan, &job) == 0 && x.wrong() == 0, "plan_tune", thread);
    }
    if (round % 2 == 0) {
      require(execute_job(x.job()) == 0 && execute_job(y.job()) == 0, "execute", thread);
    } else {
      require(x.start() == 0 && y.start() == 0, "start", thread);
      for (int done = 0; done == 0;) require(xredist_test(&y.request, &done) == 0, "test", thread);
      require(x.wait() == 0, "wait", thread);
    }
    require(x.wrong() == 0 && y.wrong() == 0, "plan", thread);
  }

  void use_drop_in(int round) {
    const int block = 1 + round % 7;
    Move x = move(block);  // its arrays are those of the call
    const int desca[9] = {1, rows.handle(), n, n, 4, 4, 0, 0, static_cast<int>(x.a.ld)},
              descb[9] = {1, cols.handle(), n, n, block, block, 0, 0, static_cast<int>(x.b.ld)};
    Cpdgemr2d(n, n, x.a.data.data(), 1, 1, desca, x.b.data.data(), 1, 1, descb,
              round % 3 == 0 ? cols.handle() : rows.handle());
    require(x.wrong() == 0, "drop-in", thread);
  }

  // MPI_Comm_free completes the exchange that is under way. On every second process another thread frees first.
  void leave() {
    if ((thread + rank()) % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    Move x = move(5);
    require(x.code == 0 && x.start() == 0, "start", thread);
    MPI_Comm_free(&comm);
    require(x.wait() == 0 && x.wrong() == 0, "freed", thread);
  }

  void run() {
    for (int round = 0; round < rounds && wrong == 0; ++round) {
      use_plans(round);
      use_drop_in(round);
    }
    leave();
  }
};

// MPI_Comm_idup in calls of the library.
std::atomic<int> idups_under_way = 0, idups_at_once = 0;
thread_local bool called_idup = false;

// Makes a plan on a new communicator in each round, and moves a matrix. The processes draw the same order of ranks, and
// each its own delay.
void make_communicators(int thread, MPI_Comm parent) {
  std::mt19937 orders(static_cast<unsigned>(7 + thread)), delays(static_cast<unsigned>(1000 * thread + rank()));
  for (int round = 0; round < new_communicators; ++round) {
    std::vector<int> keys(static_cast<std::size_t>(size()));
    for (int& key : keys) key = static_cast<int>(orders() % 1000);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(parent, 0, keys[static_cast<std::size_t>(rank())], &comm);
    if (delays() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(delays() % 300));
    Move move(comm, {size(), 1, 1, 1}, {1, size(), 1, 1}, 8, 8, round);
    if (std::exchange(called_idup, false)) --idups_under_way;
    require(move.code == 0 && execute_job(move.job()) == 0 && move.wrong() == 0, "new communicator", thread);
    MPI_Comm_free(&comm);
  }
}

// Starts `count` threads, and waits for them.
template <class Run>
void in_threads(int count, Run run) {
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) threads.emplace_back(run, k);
  for (std::thread& thread : threads) thread.join();
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
  for (const int count : {1, 2, 4}) {
    std::vector<std::unique_ptr<Own>> owns;
    for (int k = 0; k < count; ++k) owns.push_back(std::make_unique<Own>(k));
    in_threads(count, [&](int k) { owns[static_cast<std::size_t>(k)]->run(); });
    if (rank() == 0 && wrong == 0) std::printf("%d threads on %d processes: all right\n", count, size());
  }
  idups_under_way = idups_at_once = 0;
  MPI_Comm parents[2];
  for (MPI_Comm& parent : parents) MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  in_threads(2, [&](int k) { make_communicators(k, parents[k]); });
  for (MPI_Comm& parent : parents) MPI_Comm_free(&parent);
  require(idups_at_once == 0, "two threads had MPI_Comm_idup under way", 0);
  MPI_Finalize();
  return wrong;
}
