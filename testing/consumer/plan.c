/* SPDX-License-Identifier: BSD-3-Clause */
/* The C interface, compiled as C: each process has a row of a matrix, and rank 0 collects them. */
#include <stdio.h>
#include <stdlib.h>
#include <xredist/version.h>
#include <xredist/xredist.h>

int main(int argc, char** argv) {
  int me, n, failed = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  double* row = calloc((size_t)n, sizeof *row);
  double* matrix = me == 0 ? calloc((size_t)n * (size_t)n, sizeof *matrix) : NULL; /* column-major */
  for (int j = 0; j < n; ++j) row[j] = 100 * me + j;

  const xredist_layout rows = {.nprow = n, .npcol = 1, .mb = 1, .nb = n}; /* n x 1 processes, blocks of 1 x n */
  const xredist_layout whole = {.nprow = 1, .npcol = 1, .mb = n, .nb = n};
  const xredist_operation copy = {.m = n, .n = n, .type = 'D'};
  xredist_plan* plan = NULL;
  if (xredist_plan_create(MPI_COMM_WORLD, &rows, &whole, &copy, &plan) != XREDIST_SUCCESS ||
      xredist_execute(&(xredist_job){.plan = plan, .a = row, .b = matrix}) != XREDIST_SUCCESS) {
    fprintf(stderr, "%s\n", xredist_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  xredist_plan_destroy(plan);

  for (int k = 0; me == 0 && k < n * n; ++k) failed |= matrix[k] != 100 * (k % n) + k / n;
  if (me == 0) printf("%s\n%s\n", xredist_build(), failed ? "wrong" : "right");
  free(row), free(matrix);
  MPI_Finalize();
  return failed;
}
