// SPDX-License-Identifier: BSD-3-Clause
// usage: limited_move consume|huge|copy   moves slabs of rows to slabs of columns, 64 MiB on each process, from and to
// memory of xredist_alloc. huge: consumes A; both arrays ask for huge pages.
#include <mpi.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "xredist/xredist.h"

namespace {

constexpr std::int64_t rows_of_process = 2048, n = 4096;

double value(std::int64_t i, std::int64_t j) { return static_cast<double>(i * n + j); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* const way = argc == 2 ? argv[1] : "";
  const bool huge = std::strcmp(way, "huge") == 0, consumes = huge || std::strcmp(way, "consume") == 0;
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::int64_t m = rows_of_process * size, columns = n / size;
  const xredist_layout a{.nprow = size, .npcol = 1, .mb = rows_of_process, .nb = n};
  const xredist_layout b{.nprow = 1, .npcol = size, .mb = m, .nb = columns};
  const xredist_operation copy{.m = m, .n = n, .type = 'D'};
  xredist_plan* plan = nullptr;
  if (xredist_plan_create(MPI_COMM_WORLD, &a, &b, &copy, &plan) != 0) MPI_Abort(MPI_COMM_WORLD, 2);

  const std::size_t bytes = static_cast<std::size_t>(rows_of_process * n) * sizeof(double);
  auto* const from = static_cast<double*>(xredist_alloc(bytes));
  auto* const to = static_cast<double*>(xredist_alloc(bytes));
  if (huge && (madvise(from, bytes, MADV_HUGEPAGE) != 0 || madvise(to, bytes, MADV_HUGEPAGE) != 0))
    std::perror("without huge pages");
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < rows_of_process; ++i)
      from[i + j * rows_of_process] = value(rank * rows_of_process + i, j);
  const xredist_job job{.plan = plan, .a = from, .b = to, .consume = consumes ? 1 : 0};
  if (xredist_execute(&job) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  std::int64_t wrong = 0;
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < m; ++i) wrong += to[i + j * m] != value(i, rank * columns + j);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%lld elements are wrong\n", static_cast<long long>(wrong));
  xredist_free(from), xredist_free(to);
  xredist_plan_destroy(plan);
  MPI_Finalize();
  return wrong != 0;
}
