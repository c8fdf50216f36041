/* The names of ScaLAPACK's redistribution that libxredist_scalapack replaces.
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
 *
 * for any two block-cyclic distributions on any two process grids. P?TRMR2D moves the upper (UPLO =
 * 'U') or lower trapezoid, without its diagonal if DIAG = 'U'. Indices are from 1, also in the C
 * names; sizes count elements; DESCA and DESCB are ScaLAPACK's array descriptors of 9 integers.
 *
 * CTXT is a BLACS context that covers all processes of both grids. All its processes call; a
 * process outside a grid passes DESC(CTXT_) = -1, and its other values for that matrix are not
 * looked at. The old forms (...2DO) have no CTXT and are called by all of MPI_COMM_WORLD.
 *
 * Nothing is returned: an error is named on stderr and ends in BLACS_ABORT; a process that sees it has
 * not touched B.
 * With MPI_THREAD_MULTIPLE threads may call at once, each with contexts of its own. Exchanges of the C interface
 * (xredist.h) may be under way.
 *
 * The letters: I int, S float, D double, C and Z complex (pairs of float, of double). */
#ifndef XREDIST_SCALAPACK_H
#define XREDIST_SCALAPACK_H

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* letter: i, s, d, c, z; type: of the elements */
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
