/* SPDX-License-Identifier: BSD-3-Clause */
/* A stand-in for an archive of ScaLAPACK that was built for one precision, without BLACS and LAPACK. */
void Cblacs_gridinfo(int context, int* nprow, int* npcol, int* row, int* column);
void dgemm_(void);
void psgesv_(const int* context);

void psgesv_(const int* context) {
  int nprow, npcol, row, column;
  Cblacs_gridinfo(*context, &nprow, &npcol, &row, &column);
  if (row < 0) dgemm_();
}
