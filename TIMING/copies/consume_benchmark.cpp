// SPDX-License-Identifier: BSD-3-Clause
// Times what it costs to consume A: executions and files, with and without, in turns. 64 MB for each process.
//
//   mpirun -n 4 consume_benchmark 12     # turns of each kind
//
// A turn fills new memory, so the pages of B come into being during the execution, and those of A go back during the
// execution or when A is freed. A line has medians over the turns of the slowest process's time: without consume (ms),
// the ratio of the times with and without, and the ratio of the times that include the call that frees A. Start it in a
// directory in memory, as /dev/shm: on a disk, a turn waits for the system's writes of the file of the turn before.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "xredist/file.h"
#include "xredist/xredist.h"

namespace {

struct Size {
  std::int64_t rows = 0, cols = 0;
  std::size_t bytes() const { return static_cast<std::size_t>(rows * cols) * sizeof(double); }
};

int rank = 0, processes = 1;

void demand(int code) {
  if (code == XREDIST_SUCCESS) return;
  std::fprintf(stderr, "consume_benchmark: %s\n", xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

Size local_size(const xredist_layout& layout, std::int64_t n) {
  Size local;
  demand(xredist_local_size(&layout, n, n, rank, &local.rows, &local.cols));
  return local;
}

double median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + std::ssize(times) / 2);
  return times[times.size() / 2];
}

// Times use(A, B, consume) of a filled array A and new memory for B, with and without in turns, and prints the line.
void compare(const char* name, Size of_a, Size of_b, int turns, const std::function<void(double*, void*, int)>& use) {
  struct Times {
    std::vector<double> use, with_free;
  };
  std::array<Times, 2> times;
  for (int turn = 0; turn < 2 * turns; ++turn) {
    const int consume = turn % 2;
    auto* const a = static_cast<double*>(xredist_alloc(of_a.bytes()));
    void* const b = xredist_alloc(of_b.bytes());  // NULL: a file
    std::fill_n(a, of_a.rows * of_a.cols, 1.0);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    use(a, b, consume);
    std::array<double, 2> seconds{MPI_Wtime() - start};
    xredist_free(a);
    seconds[1] = MPI_Wtime() - start;
    xredist_free(b);
    MPI_Allreduce(MPI_IN_PLACE, seconds.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    auto& [of_use, of_both] = times.at(static_cast<std::size_t>(consume));
    of_use.push_back(seconds[0]);
    of_both.push_back(seconds[1]);
  }
  const double without = median(times[0].use);
  if (rank == 0)
    std::printf("%-16s %8.1f ms %6.2f %6.2f\n", name, 1e3 * without, median(times[1].use) / without,
                median(times[1].with_free) / median(times[0].with_free));
}

void time_move(const char* name, const xredist_layout& a, const xredist_layout& b, std::int64_t n, int turns) {
  const xredist_operation operation{.m = n, .n = n, .bytes = sizeof(double)};
  xredist_plan* plan = nullptr;
  demand(xredist_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan));
  const Size of_a = local_size(a, n), of_b = local_size(b, n);
  compare(name, of_a, of_b, turns, [&](double* from, void* to, int consume) {
    const xredist_job job{.plan = plan, .a = from, .lda = of_a.rows, .b = to, .ldb = of_b.rows, .consume = consume};
    demand(xredist_execute(&job));
  });
  xredist_plan_destroy(plan);
}

void time_file(const xredist_layout& a, std::int64_t n, int turns) {
  const char* const name = "consume_benchmark.npy";
  const Size local = local_size(a, n);
  compare("to a file", local, {}, turns, [&](double* from, void*, int consume) {
    const xredist_file file{.name = name, .m = n, .n = n, .type = 'D', .consume = consume};
    demand(xredist_write(MPI_COMM_WORLD, &a, from, local.rows, &file));
  });
  if (rank == 0) std::remove(name);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int turns = argc > 1 ? std::atoi(argv[1]) : 12;
  if (turns < 1) {
    if (rank == 0) std::fprintf(stderr, "consume_benchmark: turns is %d, must be at least 1\n", turns);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int nprow = static_cast<int>(std::sqrt(processes));
  while (processes % nprow != 0) --nprow;
  const int npcol = processes / nprow;
  const auto n = static_cast<std::int64_t>(std::sqrt(8e6 * processes));
  const std::int64_t slab = (n + processes - 1) / processes;
  const xredist_layout blocks{.nprow = nprow, .npcol = npcol, .mb = 64, .nb = 64};
  const xredist_layout other_blocks{.nprow = nprow, .npcol = npcol, .mb = 96, .nb = 32};
  const xredist_layout other_grid{.nprow = 1, .npcol = processes, .mb = 64, .nb = 64};
  const xredist_layout row_slabs{.nprow = processes, .npcol = 1, .mb = slab, .nb = n};
  const xredist_layout col_slabs{.nprow = 1, .npcol = processes, .mb = n, .nb = slab};
  if (rank == 0) std::printf("%-16s %11s %6s %6s\n", "move", "without", "ratio", "+ free");
  time_move("blocks", blocks, other_blocks, n, turns);
  time_move("grids", blocks, other_grid, n, turns);
  time_move("rows to grid", row_slabs, blocks, n, turns);
  time_move("columns to rows", col_slabs, row_slabs, n, turns);
  time_file(blocks, n, turns);
  MPI_Finalize();
}
