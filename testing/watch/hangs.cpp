// SPDX-License-Identifier: BSD-3-Clause
// The ways in which programs hang, one for each argument. Rank 1 goes another way than the others, in its second call.
// Some programs go on after a while, and the others hang until the test ends them.
// usage: hangs CASE [FOLDER]
#include <mpi.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/array.h"
#include "xredist/file.h"
#include "xredist/scalapack.h"
#include "xredist/xredist.h"

using namespace xredist::testing;
using namespace std::chrono_literals;

namespace {

constexpr xredist_int n = 100;
constexpr auto while_others_wait = 3500ms;

bool is_late() { return rank() == 1; }

// Calls of the drop-in on one context, whose grids have all processes unless `small`: then A is on process 0 and B on
// process 1, so that the processes have to communicate to agree.
struct Calls {
  explicit Calls(bool small = false)
      : from(small ? row_major(1, 1) : row_major(size(), 1)),
        to(small ? row_major(1, 1, 1) : row_major(1, size())),
        all(row_major(1, size())),
        a(n * n, 1.0),
        b(n * n) {
    const xredist_int block = small ? n : 4;
    desca[1] = from.handle(), descb[1] = to.handle();
    desca[4] = desca[5] = block, descb[4] = descb[5] = block;
  }

  void gemr2d(xredist_int m = n) { Cpdgemr2d(m, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, all.handle()); }
  void trmr2d() { Cpdtrmr2d("U", "N", n, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, all.handle()); }

  Context from, to, all;
  std::vector<double> a, b;
  xredist_int desca[9] = {1, 0, n, n, 4, 4, 0, 0, n}, descb[9] = {1, 0, n, n, 4, 4, 0, 0, n};
};

// A plan on a duplicate of MPI_COMM_WORLD.
struct OnCommunicator {
  OnCommunicator() : a(n * n, 1.0), b(n * n) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 4, .nb = n};
    const xredist_layout columns{.nprow = 1, .npcol = size(), .mb = n, .nb = 4};
    const xredist_operation copy{.m = n, .n = n, .type = 'D'};
    demand(xredist_plan_create(comm, &rows, &columns, &copy, &plan));
    const xredist_operation half{.m = n / 2, .n = n, .type = 'D'};
    demand(xredist_plan_create(comm, &rows, &columns, &half, &other));
  }
  static void demand(int code) {
    if (code == XREDIST_SUCCESS) return;
    std::fprintf(stderr, "rank %d: code %d: %s\n", rank(), code, xredist_error());
    std::exit(3);
  }
  xredist_job job_of(xredist_plan* of) { return {.plan = of, .a = a.data(), .lda = n, .b = b.data(), .ldb = n}; }
  void execute(xredist_plan* of) {
    const xredist_job job = job_of(of);
    demand(xredist_execute(&job));
  }

  MPI_Comm comm = MPI_COMM_NULL;
  xredist_plan *plan = nullptr, *other = nullptr;
  std::vector<double> a, b;
};

// Makes a right call, and a second one that rank 1 makes after `before`.
void with_delay(const std::function<void()>& before, bool small = false) {
  Calls calls(small);
  calls.gemr2d();
  if (is_late()) before();
  calls.gemr2d();
}

void compute() {
  volatile double sum = 0;
  for (const auto end = std::chrono::steady_clock::now() + while_others_wait; std::chrono::steady_clock::now() < end;)
    sum = sum + 1.0;
}

void order() {
  Calls calls;
  calls.gemr2d();
  if (is_late()) calls.trmr2d(), calls.gemr2d();
  if (!is_late()) calls.gemr2d(), calls.trmr2d();
}

// Rank 1 passes M = 0 in the first of two calls.
void skips() {
  Calls calls;
  calls.gemr2d();
  calls.gemr2d(is_late() ? 0 : n);
  calls.trmr2d();
}

void contexts() {
  Calls one, two;
  one.gemr2d();
  two.gemr2d();
  for (Calls* calls : is_late() ? std::vector{&two, &one} : std::vector{&one, &two}) calls->gemr2d();
}

void plans() {
  OnCommunicator one, two;
  for (OnCommunicator* each : is_late() ? std::vector{&two, &one} : std::vector{&one, &two}) each->execute(each->plan);
}

// The others wait for the first batch, and rank 1 starts both, and then computes.
void batches() {
  OnCommunicator all;
  const std::vector<xredist_job> first{all.job_of(all.plan)}, second{all.job_of(all.other), all.job_of(all.plan)};
  xredist_request *one = nullptr, *two = nullptr;
  if (is_late()) std::this_thread::sleep_for(while_others_wait);
  OnCommunicator::demand(xredist_start(1, first.data(), &one));
  OnCommunicator::demand(xredist_start(2, second.data(), &two));
  OnCommunicator::demand(xredist_wait(&two));
  OnCommunicator::demand(xredist_wait(&one));
}

// Executions of a plan of arrays, of which rank 1 makes the second one late.
void arrays() {
  OnCommunicator all;
  const xredist_axis by_rows[] = {{.procs = size()}, {}}, by_columns[] = {{}, {.procs = size()}};
  const xredist_array_layout rows{.dims = 2, .axes = by_rows}, columns{.dims = 2, .axes = by_columns};
  const std::int64_t shape[] = {n, n};
  const xredist_array_operation copy{.shape = shape, .type = 'D'};
  xredist_plan* plan = nullptr;
  OnCommunicator::demand(xredist_array_plan_create(all.comm, &rows, &columns, &copy, &plan));
  const xredist_job job{.plan = plan, .a = all.a.data(), .b = all.b.data()};
  OnCommunicator::demand(xredist_execute(&job));
  if (is_late()) std::this_thread::sleep_for(while_others_wait);
  OnCommunicator::demand(xredist_execute(&job));
  xredist_plan_destroy(plan);
}

// A function of the program, which waits for a message of rank 1: outside of the library, or in xredist_wait_mpi.
void own(bool in_library) {
  const OnCommunicator all;  // the watch begins
  int nothing = 0;
  if (is_late()) {
    std::this_thread::sleep_for(while_others_wait);
    for (int to = 0; to < size(); ++to)
      if (to != rank()) MPI_Send(&nothing, 1, MPI_INT, to, 77, MPI_COMM_WORLD);
    return;
  }
  xredist_watch_enter("checkpoint", n, n / 2);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&nothing, 1, MPI_INT, 1, 77, MPI_COMM_WORLD, &request);
  if (in_library) {
    OnCommunicator::demand(xredist_wait_mpi(&request));
  } else {
    xredist_watch_wait("the master has sent nothing");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    xredist_watch_wait(nullptr);
  }
  xredist_watch_leave();
}

// The first call of the program, which makes the channel.
void first() {
  Calls calls;
  if (is_late()) std::this_thread::sleep_for(while_others_wait);
  calls.gemr2d();
}

void early() {
  Calls calls;
  calls.gemr2d();
  if (!is_late()) calls.gemr2d();
}

void zero() {
  Calls calls;
  calls.gemr2d();
  calls.gemr2d(is_late() ? 0 : n);
  MPI_Barrier(MPI_COMM_WORLD);
}

void arguments() {
  Calls calls;
  calls.gemr2d();
  calls.gemr2d(is_late() ? n / 2 : n);
}

void descriptor() {
  Calls calls;
  calls.gemr2d();
  if (is_late()) calls.descb[5] = 16;
  calls.gemr2d();
}

void receive() {
  with_delay([] {
    int nothing = 0;
    MPI_Recv(&nothing, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

// A file of which this process may write some bytes only, as on a full disk.
void write(const std::string& folder, bool full) {
  OnCommunicator all;
  const std::string name = folder + "/matrix.npy";
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 4, .nb = n};
  const xredist_file file{.name = name.c_str(), .m = n, .n = n, .type = 'D'};
  if (full) {
    const rlimit limit{20'000, 20'000};
    setrlimit(RLIMIT_FSIZE, &limit);
  } else if (is_late()) {
    std::this_thread::sleep_for(while_others_wait);
  }
  const int code = xredist_write(all.comm, &rows, all.a.data(), n, &file);
  if (rank() == 0) std::printf("code %d %s\n", code, code == 0 ? "" : xredist_error());
}

// Rank 1 makes a plan of arrays, and the others one of matrices.
void functions() {
  const OnCommunicator all;
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 4, .nb = n};
  const xredist_operation copy{.m = n, .n = n, .type = 'D'};
  const xredist_axis by_rows[] = {{.procs = size()}, {}};
  const xredist_array_layout array{.dims = 2, .axes = by_rows};
  const std::int64_t shape[] = {n, n};
  const xredist_array_operation of_array{.shape = shape, .type = 'D'};
  xredist_plan* plan = nullptr;
  const int code = is_late() ? xredist_array_plan_create(all.comm, &array, &array, &of_array, &plan)
                             : xredist_plan_create(all.comm, &rows, &rows, &copy, &plan);
  std::printf("code %d %s\n", code, xredist_error());
}

// Rank 1 reads the file that the others write.
void reads(const std::string& folder) {
  OnCommunicator all;
  const std::string name = folder + "/matrix.npy";
  const xredist_layout rows{.nprow = size(), .npcol = 1, .mb = 4, .nb = n};
  const xredist_file file{.name = name.c_str(), .m = n, .n = n, .type = 'D'};
  const int code = is_late() ? xredist_read(all.comm, &rows, all.b.data(), n, &file)
                             : xredist_write(all.comm, &rows, all.a.data(), n, &file);
  std::printf("code %d %s\n", code, xredist_error());
}

// Many calls, before which random processes are late by up to half of the interval of the watch, which is 1 s.
void delays() {
  Calls calls, small(true);
  std::mt19937 random(static_cast<unsigned>(rank()));
  for (int k = 0; k < 40; ++k) {
    if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(random() % 300));
    (k % 3 == 0 ? small : calls).gemr2d();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "", folder = argc > 2 ? argv[2] : "";
  const std::map<std::string, std::function<void()>> cases = {
      {"first", first},
      {"early", early},
      {"order", order},
      {"skips", skips},
      {"contexts", contexts},
      {"plans", plans},
      {"batches", batches},
      {"arrays", arrays},
      {"own", [] { own(false); }},
      {"request", [] { own(true); }},
      {"zero", zero},
      {"sleep", [] { with_delay([] { std::this_thread::sleep_for(while_others_wait); }); }},
      {"reduction", [] { with_delay([] { std::this_thread::sleep_for(while_others_wait); }, true); }},
      {"compute", [] { with_delay(compute); }},
      {"barrier", [] { with_delay([] { MPI_Barrier(MPI_COMM_WORLD); }); }},
      {"receive", receive},
      {"killed", [] { with_delay([] { raise(SIGKILL); }); }},
      {"stopped", [] { with_delay([] { raise(SIGSTOP); }); }},
      {"arguments", arguments},
      {"descriptor", descriptor},
      {"file", [&] { write(folder, false); }},
      {"disk", [&] { write(folder, true); }},
      {"functions", functions},
      {"reads", [&] { reads(folder); }},
      {"delays", delays},
  };
  MPI_Init(&argc, &argv);
  cases.at(name)();
  if (rank() == 0) std::puts("returned");
  MPI_Finalize();
  return 0;
}
