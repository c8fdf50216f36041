/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves a Hermitian matrix from tiles to blocks on a process grid, where a dense solver would work. Any process owns
 * any tile. Only the tiles on and above the diagonal exist; the others are filled with their conjugate transposes.
 * With a third argument, the tiles' memory goes back to the system while they are sent. Every element is checked.
 *
 *   mpicc tiles.c -lxredist && mpirun -n 4 ./a.out 1024 8 && mpirun -n 4 ./a.out 1024 8 consume */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <xredist/xredist.h>

typedef double complex element;

/* Returns element (i, j) of the matrix; both count from 1. */
static element value(int64_t i, int64_t j) {
  const double low = (double)(i < j ? i : j), high = (double)(i < j ? j : i);
  return low + 1e-4 * high + (double)(j - i) * I;
}

static void* allocate(int64_t count, size_t bytes) {
  void* memory = xredist_alloc((size_t)(count > 0 ? count : 1) * bytes);
  if (memory == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return memory;
}

static void demand(int error, const char* what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", what, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Returns a new tile, whose first element is (i, j). */
static element* new_tile(int64_t size, int64_t i, int64_t j) {
  element* tile = allocate(size * size, sizeof *tile);
  for (int64_t col = 0; col < size; ++col)
    for (int64_t row = 0; row < size; ++row) tile[row + col * size] = value(i + row, j + col);
  return tile;
}

/* Moves `count` jobs as one exchange. */
static void move(int count, const xredist_job* jobs) {
  xredist_request* request;
  if (count == 0) return;
  demand(xredist_start(count, jobs, &request), "start");
  demand(xredist_wait(&request), "exchange");
}

int main(int argc, char** argv) {
  int me, processes, side = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  while ((side + 1) * (side + 1) <= processes) ++side;
  const int tiles = argc > 2 ? atoi(argv[2]) : 8, consume = argc > 3;
  const int64_t size = (argc > 1 ? atoll(argv[1]) : 1024) / tiles, n = size * tiles;

  const xredist_layout grid = {.nprow = side, .npcol = side, .mb = 64, .nb = 64};
  int64_t rows, cols;
  demand(xredist_local_size(&grid, n, n, me, &rows, &cols), "size on the grid");
  element* matrix = allocate(rows * cols, sizeof *matrix);

  xredist_job* below = allocate((int64_t)tiles * tiles, sizeof *below);
  xredist_job* above = allocate((int64_t)tiles * tiles, sizeof *above);
  xredist_plan** plans = allocate((int64_t)tiles * tiles, sizeof(xredist_plan*));
  int count_below = 0, count_above = 0, count = 0;
  for (int64_t i = 1; i <= n; i += size)
    for (int64_t j = i; j <= n; j += size) {
      const int owner = (int)((i / size * 7 + j / size * 3) % processes);
      element* tile = owner == me ? new_tile(size, i, j) : NULL;
      /* [begin] of the plans of a tile, whose first element is (i, j) */
      const xredist_layout alone = {.nprow = 1, .npcol = 1, .mb = size, .nb = size, .ranks = &owner};
      const xredist_operation to_above = {.m = size, .n = size, .ib = i, .jb = j, .type = 'Z'};
      const xredist_operation to_below = {.m = size, .n = size, .ib = j, .jb = i, .type = 'Z', .trans = 'C'};
      if (i != j) {
        demand(xredist_plan_create(MPI_COMM_WORLD, &alone, &grid, &to_below, &plans[count]), "plan");
        below[count_below++] = (xredist_job){.plan = plans[count++], .a = tile, .b = matrix, .ldb = rows};
      }
      demand(xredist_plan_create(MPI_COMM_WORLD, &alone, &grid, &to_above, &plans[count]), "plan");
      above[count_above++] =
          (xredist_job){.plan = plans[count++], .a = tile, .b = matrix, .ldb = rows, .consume = consume};
      /* [end] */
    }

  const double start = MPI_Wtime();
  move(count_below, below); /* first, because the second exchange may consume the tiles */
  move(count_above, above);
  double seconds = MPI_Wtime() - start;
  for (int k = 0; k < count; ++k) xredist_plan_destroy(plans[k]);

  int64_t *global_rows = allocate(rows, sizeof *global_rows), *global_cols = allocate(cols, sizeof *global_cols),
          bad = 0;
  demand(xredist_local_to_global(&grid, n, n, me, global_rows, global_cols), "indices");
  for (int64_t col = 0; col < cols; ++col)
    for (int64_t row = 0; row < rows; ++row)
      bad += matrix[row + col * rows] != value(global_rows[row], global_cols[col]);

  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  int64_t peak = usage.ru_maxrss / 1024;
  MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &peak, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (me == 0)
    printf("%lld tiles to %lld x %lld on %d x %d: %.1f ms, at most %lld MB in a process, %s\n", (long long)count_above,
           (long long)n, (long long)n, side, side, seconds * 1e3, (long long)peak, bad == 0 ? "tiles right" : "WRONG");
  MPI_Finalize();
  return bad != 0;
}
