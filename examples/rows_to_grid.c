/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies a dense matrix from slabs of rows to blocks on a square process grid, where a dense solver would work, and
 * back. The slabs are those of PETSc's MATDENSE: process k has the rows bounds[k] + 1 to bounds[k + 1], column-major.
 * Every element is checked on both sides.
 *
 *   mpicc rows_to_grid.c -lxredist && mpirun -n 4 ./a.out 1000 */
#include <stdio.h>
#include <stdlib.h>
#include <xredist/xredist.h>

enum { block = 64 };

/* Returns the global index of local row (or column) l of process row (column) `mine` of `procs`; both count from 0. */
static int64_t global(int64_t l, int mine, int procs) { return (l / block * procs + mine) * block + l % block; }

static double value(int64_t i, int64_t j) { return (double)i + 1e-4 * (double)j; }

static void* allocate(int64_t count, size_t bytes) {
  void* memory = malloc((size_t)(count > 0 ? count : 1) * bytes);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static void demand(int error, const char* what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", what, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
  int me, size, side = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while ((side + 1) * (side + 1) <= size) ++side;
  const int64_t n = argc > 1 ? atoll(argv[1]) : 1000;

  /* The slab of process k is proportional to k + 1. MatGetOwnershipRanges returns such an array of bounds. */
  int64_t* bounds = allocate(size + 1, sizeof *bounds);
  for (int64_t k = 0; k <= size; ++k) bounds[k] = n * (k * (k + 1)) / ((int64_t)size * (size + 1));
  const xredist_partition rows = {.count = size, .bounds = bounds};
  const xredist_layout slabs = {.nprow = size, .npcol = 1, .mb = 1, .nb = 1, .rows = &rows};
  const xredist_layout grid = {.nprow = side, .npcol = side, .mb = block, .nb = block};

  const int64_t height = bounds[me + 1] - bounds[me];
  double *x = allocate(height * n, sizeof *x), *back = allocate(height * n, sizeof *back);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < height; ++i) x[i + j * height] = value(bounds[me] + i, j);

  int64_t mine_i = 0, mine_j = 0; /* outside the grid, no rows and no columns */
  demand(xredist_local_size(&grid, n, n, me, &mine_i, &mine_j), "size on the grid");
  double* y = allocate(mine_i * mine_j, sizeof *y);

  xredist_plan *there, *home;
  const xredist_operation copy = {.m = n, .n = n, .type = 'D'};
  demand(xredist_plan_create(MPI_COMM_WORLD, &slabs, &grid, &copy, &there), "plan to the grid");
  demand(xredist_plan_create(MPI_COMM_WORLD, &grid, &slabs, &copy, &home), "plan to the slabs");
  const double start = MPI_Wtime();
  demand(xredist_execute(&(xredist_job){.plan = there, .a = x, .b = y}), "exchange to the grid");
  const double between = MPI_Wtime();
  demand(xredist_execute(&(xredist_job){.plan = home, .a = y, .b = back}), "exchange to the slabs");
  const double seconds[] = {between - start, MPI_Wtime() - between};

  int64_t wrong = 0;
  for (int64_t j = 0; j < mine_j; ++j)
    for (int64_t i = 0; i < mine_i; ++i)
      wrong += y[i + j * mine_i] != value(global(i, me / side, side), global(j, me % side, side));
  for (int64_t k = 0; k < height * n; ++k) wrong += back[k] != x[k];
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0 && wrong == 0)
    printf("%lld x %lld: right; to a %dx%d grid in %.1f ms, back in %.1f ms\n", (long long)n, (long long)n, side, side,
           1e3 * seconds[0], 1e3 * seconds[1]);
  if (me == 0 && wrong != 0) printf("%lld elements are wrong\n", (long long)wrong);

  xredist_plan_destroy(there);
  xredist_plan_destroy(home);
  free(x), free(y), free(back), free(bounds);
  MPI_Finalize();
  return wrong != 0;
}
