// SPDX-License-Identifier: BSD-3-Clause
// usage: limited_move consume|huge|copy   moves slabs of an array to slabs along another axis, in the reverse order in
// memory, 64 MiB on each process, from and to memory of xredist_alloc. huge: consumes A; both arrays ask for huge
// pages.
#include <mpi.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "xredist/array.h"

namespace {

constexpr std::int64_t nx = 256, ny_of_process = 256, nz = 128;

double value(std::int64_t x, std::int64_t y, std::int64_t z) { return static_cast<double>(x + nx * (z + nz * y)); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* const way = argc == 2 ? argv[1] : "";
  const bool huge = std::strcmp(way, "huge") == 0, consumes = huge || std::strcmp(way, "consume") == 0;
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::int64_t ny = ny_of_process * size, nx_of_process = nx / size;
  const std::int64_t shape[] = {nx, ny, nz};
  const xredist_axis along_y[] = {{}, {.procs = size}, {}}, along_x[] = {{.procs = size}, {}, {}};
  const int z_first[] = {2, 1, 0};
  const xredist_array_layout a{.dims = 3, .axes = along_y, .order = z_first}, b{.dims = 3, .axes = along_x};
  const xredist_array_operation copy{.shape = shape, .type = 'D'};
  xredist_plan* plan = nullptr;
  if (xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &copy, &plan) != 0) MPI_Abort(MPI_COMM_WORLD, 2);

  const std::size_t bytes = static_cast<std::size_t>(nx * ny_of_process * nz) * sizeof(double);
  auto* const from = static_cast<double*>(xredist_alloc(bytes));
  auto* const to = static_cast<double*>(xredist_alloc(bytes));
  if (huge && (madvise(from, bytes, MADV_HUGEPAGE) != 0 || madvise(to, bytes, MADV_HUGEPAGE) != 0))
    std::perror("without huge pages");
  for (std::int64_t x = 0; x < nx; ++x)
    for (std::int64_t y = 0; y < ny_of_process; ++y)
      for (std::int64_t z = 0; z < nz; ++z)
        from[z + nz * (y + ny_of_process * x)] = value(x, rank * ny_of_process + y, z);
  const xredist_job job{.plan = plan, .a = from, .b = to, .consume = consumes ? 1 : 0};
  if (xredist_execute(&job) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  std::int64_t wrong = 0;
  for (std::int64_t z = 0; z < nz; ++z)
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx_of_process; ++x)
        wrong += to[x + nx_of_process * (y + ny * z)] != value(rank * nx_of_process + x, y, z);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%lld elements are wrong\n", static_cast<long long>(wrong));
  xredist_free(from), xredist_free(to);
  xredist_plan_destroy(plan);
  MPI_Finalize();
  return wrong != 0;
}
