/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues a computation from a file, on any number of processes. The program iterates on an n x n matrix in blocks on
 * a square process grid: each element x becomes 3.9 x (1 - x). If the file exists, the program begins with the matrix
 * in the file. In the end the program writes the matrix, and prints a checksum that does not depend on the processes.
 *
 *   mpicc checkpoint.c -lxredist
 *   mpirun -n 4 ./a.out state.npy 500 10 && mpirun -n 6 ./a.out state.npy 500 10    # as 20 steps at once */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xredist/file.h>

enum { block = 64 };

static void demand(int code, const char* what) {
  if (code == XREDIST_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", what, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Returns the global index of local row (or column) l of process row (column) `mine` of `procs`; both count from 0. */
static int64_t global(int64_t l, int mine, int procs) { return (l / block * procs + mine) * block + l % block; }

int main(int argc, char** argv) {
  int me, size, side = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  while ((side + 1) * (side + 1) <= size) ++side;
  const xredist_layout layout = {.nprow = side, .npcol = size / side, .mb = block, .nb = block};
  const int64_t n = atoll(argv[2]);
  const xredist_file file = {.name = argv[1], .m = n, .n = n, .type = 'D'};

  int64_t rows, cols;
  demand(xredist_local_size(&layout, n, n, me, &rows, &cols), "sizes");
  double* x = malloc((size_t)(rows * cols + 1) * sizeof *x);
  if (x == NULL) MPI_Abort(MPI_COMM_WORLD, 1);

  int exists = me == 0 && access(file.name, F_OK) == 0;
  MPI_Bcast(&exists, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (exists) {
    demand(xredist_read(MPI_COMM_WORLD, &layout, x, 0, &file), "restart");
  } else {
    for (int64_t j = 0; j < cols; ++j)
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t row = global(i, me / layout.npcol, side), col = global(j, me % layout.npcol, layout.npcol);
        x[i + j * rows] = (double)(1 + row + n * col) / (double)(n * n + 1);
      }
  }

  for (int step = 0; step < atoi(argv[3]); ++step)
    for (int64_t k = 0; k < rows * cols; ++k) x[k] = 3.9 * x[k] * (1 - x[k]);
  demand(xredist_write(MPI_COMM_WORLD, &layout, x, 0, &file), "checkpoint");

  /* A sum of integers, because a sum of doubles depends on its order. */
  uint64_t sum = 0;
  for (int64_t k = 0; k < rows * cols; ++k) sum += (uint64_t)(x[k] * 1e12);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("%s: checksum %llu\n", exists ? "continued" : "begun", (unsigned long long)sum);
  free(x);
  MPI_Finalize();
  return 0;
}
