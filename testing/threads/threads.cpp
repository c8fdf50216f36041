// SPDX-License-Identifier: BSD-3-Clause
// One, two and four threads, each with its own communicator and BLACS contexts, use the C interface and the drop-in at
// the same time.
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "grid.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/scalapack.h"
#include "xredist/xredist.h"

namespace {

using xredist::testing::Context;
using xredist::testing::create_plan;
using xredist::testing::execute_job;
using xredist::testing::rank;
using xredist::testing::row_major;
using xredist::testing::size;
using xredist::testing::start_job;

constexpr int n = 300, rounds = 60;
constexpr auto elements = static_cast<std::size_t>(n) * n;

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
  std::vector<double> a, b = std::vector<double>(elements, 0.0);

  explicit Own(int number) : thread(number), a(elements, number + 1.0) { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;

  void expect_moved(int block, const char* by) {
    std::size_t mine = 0, right = 0;
    for (int j = 0; j < n; ++j) mine += j / block % size() == rank() ? n : 0;
    for (const double x : b) right += x == a[0];
    require(right == mine, by, thread);
    std::fill(b.begin(), b.end(), 0.0);
  }

  void use_plans(int round) {
    const xredist_layout from{size(), 1, 4, 4}, to{1, size(), 5, 5};
    xredist_plan* plan = nullptr;
    require(create_plan(comm, from, to, {.m = n, .n = n, .bytes = 8}, &plan) == 0, "plan_create", thread);
    if (round % 2 == 0) {
      require(execute_job({plan, a.data(), n, b.data(), n}) == 0, "execute", thread);
    } else {
      std::vector<double> other(elements, 0.0);
      xredist_request *first = nullptr, *second = nullptr;
      require(start_job({plan, a.data(), n, other.data(), n}, &first) == 0, "start", thread);
      require(start_job({plan, a.data(), n, b.data(), n}, &second) == 0, "start", thread);
      for (int done = 0; done == 0;) require(xredist_test(&second, &done) == 0, "test", thread);
      require(xredist_wait(&first) == 0, "wait", thread);
      require(other == b, "two exchanges", thread);
    }
    expect_moved(5, "plan");
    xredist_plan_destroy(plan);
  }

  void use_drop_in(int round) {
    const int block = 1 + round % 7;
    const int desca[9] = {1, rows.handle(), n, n, 3, 3, 0, 0, n},
              descb[9] = {1, cols.handle(), n, n, block, block, 0, 0, n};
    Cpdgemr2d(n, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, round % 3 == 0 ? cols.handle() : rows.handle());
    expect_moved(block, "drop-in");
  }

  // MPI_Comm_free completes the exchange that is under way. On every second process another thread frees first.
  void leave() {
    if ((thread + rank()) % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const xredist_layout from{size(), 1, 4, 4}, to{1, size(), 5, 5};
    xredist_plan* plan = nullptr;
    require(create_plan(comm, from, to, {.m = n, .n = n, .bytes = 8}, &plan) == 0, "plan_create", thread);
    xredist_request* request = nullptr;
    require(start_job({plan, a.data(), n, b.data(), n}, &request) == 0, "start", thread);
    MPI_Comm_free(&comm);
    require(xredist_wait(&request) == 0, "wait", thread);
    xredist_plan_destroy(plan);
    expect_moved(5, "freed");
  }

  void run() {
    for (int round = 0; round < rounds && wrong == 0; ++round) {
      use_plans(round);
      use_drop_in(round);
    }
    leave();
  }
};

}  // namespace

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
    std::vector<std::thread> threads;
    for (const auto& own : owns) threads.emplace_back([&own] { own->run(); });
    for (std::thread& thread : threads) thread.join();
    if (rank() == 0 && wrong == 0) std::printf("%d threads on %d processes: all right\n", count, size());
  }
  MPI_Finalize();
  return wrong;
}
