/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines of ScaLAPACK's redistribution that libxredist_scalapack replaces. They copy a submatrix
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
 *
 * between any two block-cyclic distributions on any two process grids, which may overlap, and do not write the rest of
 * B. P?TRMR2D copies only the upper (UPLO = 'U') or lower trapezoid, without its diagonal if DIAG = 'U'. As in
 * ScaLAPACK, any other UPLO stands for 'L', and any other DIAG for 'U' in an upper trapezoid and for 'N' in a lower
 * one. Matrix indices count from 1, in the C routines too; sizes and leading dimensions count elements; local arrays
 * are column-major. DESCA and DESCB are ScaLAPACK's array descriptors of 9 integers; DTYPE_ is not read. If M or N is
 * 0, the routines return at once. A and B must not overlap, unless one process holds all data.
 *
 * CTXT is a BLACS context that covers both grids, and all its processes call. A process outside a grid passes
 * DESC(CTXT_) = -1 for this matrix; its other arguments of the matrix are ignored. The old forms (...2DO) have no CTXT,
 * and all processes of MPI_COMM_WORLD call them.
 *
 * An error prints a line, on stderr unless log.h says otherwise, and ends the program by BLACS_ABORT. A process that
 * detects an invalid argument has not changed B. With MPI_THREAD_MULTIPLE, several threads may call at the same time,
 * each with its own contexts. Exchanges of the C interface (xredist.h) may be under way during a call.
 *
 * Each name also exists with the prefix xredist_ (XREDIST_PDGEMR2D in Fortran, xredist_pdgemr2d_ and xredist_Cpdgemr2d
 * in C), for programs that call ScaLAPACK's own routines as well: they link libxredist_prefixed, which has only the
 * prefixed names.
 *
 * The letters are I for xredist_int, S float, D double, C and Z complex (pairs of float, of double). With
 * XREDIST_ILP64, integers have 64 bits (integer.h), and each routine has a second name: pdgemr2d_64_, Cpdgemr2d_64.
 * Sizes, indices, block sizes and leading dimensions are at most 2^40; m n is less than 2^59. */
#ifndef XREDIST_SCALAPACK_H
#define XREDIST_SCALAPACK_H

#include "xredist/integer.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* P, CP, C: beginnings of names; letter: i, s, d, c or z; type: of the elements; suffix: empty or _64 */
#define XREDIST_SCALAPACK_NAMES(P, CP, C, letter, type, suffix)                                                        \
  XREDIST_API void P##letter##gemr2d##suffix##_(                                                                       \
      const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia, const xredist_int* ja,         \
      const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb, const xredist_int* descb,       \
      const xredist_int* ctxt);                                                                                        \
  XREDIST_API void P##letter##gemr2do##suffix##_(                                                                      \
      const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia, const xredist_int* ja,         \
      const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb, const xredist_int* descb);      \
  XREDIST_API void P##letter##trmr2d##suffix##_(                                                                       \
      const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n, const type* a,                   \
      const xredist_int* ia, const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,          \
      const xredist_int* jb, const xredist_int* descb, const xredist_int* ctxt);                                       \
  XREDIST_API void P##letter##trmr2do##suffix##_(                                                                      \
      const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n, const type* a,                   \
      const xredist_int* ia, const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,          \
      const xredist_int* jb, const xredist_int* descb);                                                                \
  XREDIST_API void CP##letter##gemr2d##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia,             \
                                              xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,       \
                                              xredist_int jb, const xredist_int* descb, xredist_int ctxt);             \
  XREDIST_API void CP##letter##gemr2do##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia,            \
                                               xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,      \
                                               xredist_int jb, const xredist_int* descb);                              \
  XREDIST_API void CP##letter##trmr2d##suffix(                                                                         \
      const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja, \
      const xredist_int* desca, type* b, xredist_int ib, xredist_int jb, const xredist_int* descb, xredist_int ctxt);  \
  XREDIST_API void CP##letter##trmr2do##suffix(                                                                        \
      const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja, \
      const xredist_int* desca, type* b, xredist_int ib, xredist_int jb, const xredist_int* descb);                    \
  /* copies locally: b(1:m, 1:n) := a(1:m, 1:n) */                                                                     \
  XREDIST_API void C##letter##gelacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,   \
                                              xredist_int ldb);                                                        \
  XREDIST_API void C##letter##trlacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,   \
                                              xredist_int ldb);

#define XREDIST_SCALAPACK_LETTERS(P, CP, C, suffix)         \
  XREDIST_SCALAPACK_NAMES(P, CP, C, i, xredist_int, suffix) \
  XREDIST_SCALAPACK_NAMES(P, CP, C, s, float, suffix)       \
  XREDIST_SCALAPACK_NAMES(P, CP, C, d, double, suffix)      \
  XREDIST_SCALAPACK_NAMES(P, CP, C, c, void, suffix)        \
  XREDIST_SCALAPACK_NAMES(P, CP, C, z, void, suffix)

XREDIST_SCALAPACK_LETTERS(p, Cp, C, )
XREDIST_SCALAPACK_LETTERS(xredist_p, xredist_Cp, xredist_C, )
#ifdef XREDIST_ILP64
XREDIST_SCALAPACK_LETTERS(p, Cp, C, _64)
XREDIST_SCALAPACK_LETTERS(xredist_p, xredist_Cp, xredist_C, _64)
#endif

#undef XREDIST_SCALAPACK_LETTERS
#undef XREDIST_SCALAPACK_NAMES

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
