/* SPDX-License-Identifier: BSD-3-Clause */
/* What library xredist_pblas is made of. It has those routines of PBLAS that redistribute, which compute
 *
 *   C := beta C + alpha op(A)
 *
 * P{S,D}TRAN, P{C,Z}TRANU, P{C,Z}TRANC: A is transposed, by TRANC conjugated as well.
 * P{S,D,C,Z}GEADD: op is TRANS, which is N, T or C.
 * P{S,D,C,Z}TRADD: the same for the trapezoid UPLO of C. Its diagonal begins in the top left corner.
 *
 * Arguments that PBLAS does not reference are not referenced and may be NULL: A if alpha is 0, C if beta is 1 as well,
 * both if M or N is 0, and what a process holds no part of. If beta is 0, C is not read. A process that passes alpha =
 * 0 scales its part of C without communication.
 *
 * Names and arguments are those of PBLAS, so that programs are linked with the library, or started with LD_PRELOAD,
 * without a change. A program calls those names; this header has what they call. */
#ifndef XREDIST_PBLAS_H
#define XREDIST_PBLAS_H

#include "xredist/api.h"
#include "xredist/integer.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char* routine; /* its name in messages: "PDTRAN" */
  int before_m;        /* how many arguments it has before M: none, TRANS, or UPLO and TRANS */
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
  /* NULL, or what is called where an argument is wrong: the program's own PB_Cabort. info is what PBLAS's routine
   * would pass: -k for argument k, or -(100 k + e) for entry e of it, a descriptor, counted as if that had 11. */
  void (*abort)(int ctxt, const char* routine, int info);
} xredist_pblas_call;

/* Carries out a call. A plan is kept for it, as for P?GEMR2D. An error ends the program in the same way, or calls
 * `abort` and changes nothing. */
XREDIST_API void xredist_pblas(const xredist_pblas_call* call);

#ifdef __cplusplus
}
#endif
#endif
