/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls ScaLAPACK's own routine and xredist's routine in one program, each by its name.
 * usage: beside LOG, with XREDIST_VERBOSE=1 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <xredist/log.h>
#include <xredist/scalapack.h>
#include <xredist/version.h>

extern void Cblacs_get(int context, int what, int* value);
extern void Cblacs_gridinit(int* context, const char* order, int nprow, int npcol);
extern void Cblacs_exit(int keep_mpi);

/* Returns the number of lines about new plans in the log. */
static int plans(const char* log) {
  char line[1024];
  int count = 0;
  FILE* file = fopen(log, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) count += strstr(line, " plans ") != NULL;
  if (file != NULL) fclose(file);
  return count;
}

int main(int argc, char** argv) {
  int me, processes, failed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (argc != 2 || strcmp(xredist_version(), XREDIST_VERSION) != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  if (me == 0) remove(argv[1]);
  if (me == 0 && xredist_set_log(argv[1]) != 0) MPI_Abort(MPI_COMM_WORLD, 2);

  /* From one column per process to one row per process. */
  int columns, rows;
  Cblacs_get(-1, 0, &columns);
  rows = columns;
  Cblacs_gridinit(&columns, "R", 1, processes);
  Cblacs_gridinit(&rows, "R", processes, 1);
  const int desca[9] = {1, columns, processes, processes, processes, 1, 0, 0, processes};
  const int descb[9] = {1, rows, processes, processes, 1, processes, 0, 0, 1};
  double a[64], theirs[64] = {0}, ours[64] = {0};
  for (int i = 0; i < processes; ++i) a[i] = 100 * me + i;

  Cpdgemr2d(processes, processes, a, 1, 1, desca, theirs, 1, 1, descb, columns);
  failed = me == 0 && plans(argv[1]) != 0;
  xredist_Cpdgemr2d(processes, processes, a, 1, 1, desca, ours, 1, 1, descb, columns);
  failed |= me == 0 && plans(argv[1]) != 1;
  for (int j = 0; j < processes; ++j) failed |= ours[j] != 100 * j + me || theirs[j] != ours[j];
  if (me == 0) printf("%s\n%s\n", xredist_build(), failed ? "wrong" : "right");
  Cblacs_exit(1);
  MPI_Finalize();
  return failed;
}
