/* The routines of ScaLAPACK's redistribution that libxredist_scalapack replaces. They copy a submatrix,
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1),
 *
 * between any two block-cyclic distributions on any two process grids. P?TRMR2D moves the upper (UPLO = 'U') or lower
 * trapezoid, without its diagonal if DIAG = 'U'. Matrix indices are counted from 1, also by the C routines; sizes and
 * leading dimensions count elements; local arrays are column-major. DESCA and DESCB are ScaLAPACK's array descriptors
 * of 9 integers. A and B must not overlap, unless all data are on one process.
 *
 * CTXT is a BLACS context that covers all processes of both grids. All processes of CTXT call. A process outside a grid
 * passes DESC(CTXT_) = -1 for that matrix; its other values for the matrix are not read. The old forms (...2DO) have no
 * CTXT and are called by all processes of MPI_COMM_WORLD.
 *
 * Nothing is returned: an error is named on stderr and ends the program by BLACS_ABORT; a process that sees the error
 * has not touched B. With MPI_THREAD_MULTIPLE, threads may call at the same time, each with its own contexts. Exchanges
 * of the C interface (xredist.h) may be under way during a call.
 *
 * The letters are I for int, S float, D double, C and Z complex (pairs of float, of double). */
#ifndef XREDIST_SCALAPACK_H
#define XREDIST_SCALAPACK_H

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* letter: i, s, d, c or z; type: the type of the elements */
#define XREDIST_SCALAPACK_NAMES(letter, type)                                                                          \
  XREDIST_API void p##letter##gemr2d_(const int* m, const int* n, const type* a, const int* ia, const int* ja,         \
                                      const int* desca, type* b, const int* ib, const int* jb, const int* descb,       \
                                      const int* ctxt);                                                                \
  XREDIST_API void p##letter##gemr2do_(const int* m, const int* n, const type* a, const int* ia, const int* ja,        \
                                       const int* desca, type* b, const int* ib, const int* jb, const int* descb);     \
  XREDIST_API void p##letter##trmr2d_(const char* uplo, const char* diag, const int* m, const int* n, const type* a,   \
                                      const int* ia, const int* ja, const int* desca, type* b, const int* ib,          \
                                      const int* jb, const int* descb, const int* ctxt);                               \
  XREDIST_API void p##letter##trmr2do_(const char* uplo, const char* diag, const int* m, const int* n, const type* a,  \
                                       const int* ia, const int* ja, const int* desca, type* b, const int* ib,         \
                                       const int* jb, const int* descb);                                               \
  XREDIST_API void Cp##letter##gemr2d(int m, int n, const type* a, int ia, int ja, const int* desca, type* b, int ib,  \
                                      int jb, const int* descb, int ctxt);                                             \
  XREDIST_API void Cp##letter##gemr2do(int m, int n, const type* a, int ia, int ja, const int* desca, type* b, int ib, \
                                       int jb, const int* descb);                                                      \
  XREDIST_API void Cp##letter##trmr2d(const char* uplo, const char* diag, int m, int n, const type* a, int ia, int ja, \
                                      const int* desca, type* b, int ib, int jb, const int* descb, int ctxt);          \
  XREDIST_API void Cp##letter##trmr2do(const char* uplo, const char* diag, int m, int n, const type* a, int ia,        \
                                       int ja, const int* desca, type* b, int ib, int jb, const int* descb);           \
  /* local: b(1:m, 1:n) := a(1:m, 1:n) */                                                                              \
  XREDIST_API void C##letter##gelacpy(int m, int n, const type* a, int lda, type* b, int ldb);                         \
  XREDIST_API void C##letter##trlacpy(int m, int n, const type* a, int lda, type* b, int ldb);

XREDIST_SCALAPACK_NAMES(i, int)
XREDIST_SCALAPACK_NAMES(s, float)
XREDIST_SCALAPACK_NAMES(d, double)
XREDIST_SCALAPACK_NAMES(c, void)
XREDIST_SCALAPACK_NAMES(z, void)

#ifdef __cplusplus
}
#endif
#endif
