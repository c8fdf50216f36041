/* SPDX-License-Identifier: BSD-3-Clause */
/* Does not name PDGEMR2D: PDSYEV calls it for the eigenvectors. */
#include "program.h"

extern void pdsyev_(const char* jobz, const char* uplo, const int* n, double* a, const int* ia, const int* ja,
                    const int* desca, double* w, double* z, const int* iz, const int* jz, const int* descz,
                    double* work, const int* lwork, int* info, size_t jobz_length, size_t uplo_length);

int main(void) {
  static double a[LOCAL][N], z[LOCAL][N], w[N], work[WORK];
  const int rank = rank_of_two(), lwork = WORK;
  int desc[9], info;
  describe(desc, 1, PROCESSES);
  fill(a, rank);
  pdsyev_("V", "L", &size, a[0], &one, &one, desc, w, z[0], &one, &one, desc, work, &lwork, &info, 1, 1);
  require(info == 0, "PDSYEV");

  double worst = 0, length = 0;
  for (int j = 0; j < LOCAL; ++j)
    for (int i = 0; i < N; ++i) {
      const double image = 2 * z[j][i] + (i > 0 ? z[j][i - 1] : 0) + (i < N - 1 ? z[j][i + 1] : 0);
      worst = fmax(worst, fabs(image - w[global(j, rank)] * z[j][i]));
      length += z[j][i] * z[j][i];
    }
  require(worst < 1e-12 && fabs(length - LOCAL) < 1e-12, "eigenvectors");
  finish();
}
