/* SPDX-License-Identifier: BSD-3-Clause */
/* The C interface, compiled as C: copies a matrix on rank 0. */
#include <stdio.h>
#include <xredist/version.h>
#include <xredist/xredist.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int me, failed = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  const xredist_layout one = {.nprow = 1, .npcol = 1, .mb = 2, .nb = 2}; /* a grid of rank 0, blocks of 2 x 2 */
  const double a[4] = {1, 2, 3, 4};
  double b[4] = {0, 0, 0, 0};
  const xredist_operation copy = {.m = 2, .n = 2, .type = 'D'};
  xredist_plan* plan = NULL;
  if (xredist_plan_create(MPI_COMM_WORLD, &one, &one, &copy, &plan) == XREDIST_SUCCESS)
    failed = xredist_execute(&(xredist_job){.plan = plan, .a = a, .b = b}) != 0 || (me == 0 && b[3] != 4);
  if (failed) fprintf(stderr, "%s\n", xredist_error());
  xredist_plan_destroy(plan);
  if (me == 0 && !failed) printf("%s\nright\n", xredist_build());
  MPI_Finalize();
  return failed;
}
