/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the routine in its Fortran and C forms and the routine for local copies, and calls a routine of ScaLAPACK that
 * calls PDTRMR2D. If the library replaced only some of these names, the linker would add ScaLAPACK's object files,
 * which define the other names again. */
#include "program.h"
#include "xredist/scalapack.h"

extern void pdsyntrd_(const char* uplo, const int* n, double* a, const int* ia, const int* ja, const int* desca,
                      double* d, double* e, double* tau, double* work, const int* lwork, int* info, size_t uplo_length);

int main(void) {
  static double a[LOCAL][N], copy[LOCAL][N], back[LOCAL][N], b[N][LOCAL], d[LOCAL], e[LOCAL], tau[LOCAL], work[WORK];
  const int rank = rank_of_two(), lwork = WORK;
  int columns[9], rows[9], info;
  describe(columns, 1, PROCESSES);
  describe(rows, PROCESSES, 1);
  fill(a, rank);

  pdgemr2d_(&size, &size, a[0], &one, &one, columns, b[0], &one, &one, rows, &columns[1]);
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < LOCAL; ++i) {
      const int distance = abs(global(i, rank) - j);
      require(b[j][i] == (distance == 0 ? 2 : distance == 1 ? 1 : 0), "pdgemr2d_");
    }
  Cpdgemr2d(N, N, b[0], 1, 1, rows, back[0], 1, 1, columns, columns[1]);
  Cdgelacpy(N, LOCAL, back[0], N, copy[0], N);
  for (int j = 0; j < LOCAL; ++j)
    for (int i = 0; i < N; ++i) require(copy[j][i] == a[j][i], "Cpdgemr2d, Cdgelacpy");

  double trace = 0, total;
  pdsyntrd_("L", &size, a[0], &one, &one, columns, d, e, tau, work, &lwork, &info, 1);
  require(info == 0, "PDSYNTRD");
  for (int j = 0; j < LOCAL; ++j) trace += d[j];
  MPI_Allreduce(&trace, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  require(fabs(total - 2 * N) < 1e-12, "trace of PDSYNTRD's matrix");
  finish();
}
