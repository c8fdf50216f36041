/* SPDX-License-Identifier: BSD-3-Clause */
/* Needs one function of an archive of BLACS, where the drop-in needs two more. Copies a matrix on one process. */
#include <mpi.h>
#include <stdio.h>

void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* row, int* column);
void Cpdgemr2d(int m, int n, const double* a, int ia, int ja, const int* desca, double* b, int ib, int jb,
               const int* descb, int context);

int main(int argc, char** argv) {
  enum { n = 6 };
  int nprow, npcol, row, column, wrong = 0;
  const int desca[] = {1, 0, n, n, 2, 2, 0, 0, n}, descb[] = {1, 0, n, n, 3, 3, 0, 0, n};
  double a[n * n], b[n * n] = {0};
  for (int k = 0; k < n * n; ++k) a[k] = k + 1;
  MPI_Init(&argc, &argv);
  Cblacs_gridinfo(0, &nprow, &npcol, &row, &column);
  Cpdgemr2d(n, n, a, 1, 1, desca, b, 1, 1, descb, 0);
  for (int k = 0; k < n * n; ++k) wrong |= b[k] != a[k];
  puts(wrong ? "wrong" : "right");
  MPI_Finalize();
  return wrong;
}
