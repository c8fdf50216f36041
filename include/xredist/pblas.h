/* SPDX-License-Identifier: BSD-3-Clause */
/* The function behind the names of library xredist_pblas. That library has the routines of PBLAS that redistribute:
 *
 *   C := beta C + alpha op(A)
 *
 * P{S,D}TRAN, P{C,Z}TRANU, P{C,Z}TRANC   op(A) is A transposed, for TRANC conjugate transposed
 * P{S,D,C,Z}GEADD                        op is TRANS: N, T or C
 * P{S,D,C,Z}TRADD                        as GEADD for the trapezoid UPLO of C, which begins in the top left corner
 *
 * Names and arguments are those of PBLAS: programs are linked with the library, or started with LD_PRELOAD, without a
 * change. Programs call those names and not the function of this header.
 *
 * An argument that PBLAS does not reference is not referenced and may be NULL:
 *
 * - A if alpha is 0; each process then scales its part of C without communication
 * - C if alpha is 0 and beta is 1
 * - A and C if M or N is 0
 * - A (C) on a process without elements of the submatrix of A (C)
 *
 * If beta is 0, C is not read. All other arguments are checked first, as PBLAS checks them.
 *
 * Products and sums are rounded one by one. PBLAS calls AXPY and SCAL of the BLAS, which may round a product and a sum
 * once, so results may differ in the last bit. */
#ifndef XREDIST_PBLAS_H
#define XREDIST_PBLAS_H

#include "xredist/integer.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char* routine; /* its name in messages: "PDTRAN" */
  int before_m;        /* number of arguments before M: none, TRANS, or UPLO and TRANS */
  char type;           /* 'S', 'D', 'C', 'Z' */
  char uplo, trans;    /* 'A' or as passed; 'N', 'T', 'C' or as passed */
  xredist_int m, n;    /* of C's submatrix */
  const void* alpha;
  const void* a;
  xredist_int ia, ja;
  const xredist_int* desca; /* of one context with descc; 9 entries, where DTYPE_ may be 2: the program's had 11 */
  const void* beta;
  void* c;
  xredist_int ic, jc;
  const xredist_int* descc;
  /* NULL, or the program's own PB_Cabort, which is called if an argument is wrong. info is the number that PBLAS's
   * routine passes: -k for argument k, -(100 k + e) for entry e of descriptor k, as if that had 11 entries. */
  void (*abort)(int ctxt, const char* routine, int info);
} xredist_pblas_call;

/* Carries out a call. The context keeps the plan, as for P?GEMR2D. An error ends the program as in P?GEMR2D, or calls
 * `abort` and changes nothing. */
XREDIST_API void xredist_pblas(const xredist_pblas_call* call);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
