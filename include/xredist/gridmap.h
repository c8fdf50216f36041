/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses B's process grid for the redistribution
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
 *
 * before the program creates this grid. XREDIST_GRIDMAP finds the grid that leaves the most elements on the process
 * that already holds them. The result is a map for BLACS_GRIDMAP:
 *
 *   CALL XREDIST_GRIDMAP(M, N, IA, JA, DESCA, IB, JB, MB, NB, RSRC, CSRC, NPROW, NPCOL, CTXT, USERMAP, LDUMAP, KEPT, &
 *                        INFO)
 *   CALL BLACS_GET(CTXT, 10, TARGET)
 *   CALL BLACS_GRIDMAP(TARGET, USERMAP, LDUMAP, NPROW, NPCOL)
 *
 * M, N, IA, JA, DESCA   as for P?GEMR2D
 * IB, JB                first row and column of the submatrix of B, counted from 1
 * MB, NB, RSRC, CSRC    block sizes of B and grid coordinates of its first block, as in its descriptor
 * NPROW, NPCOL          shape of B's grid, which has at most as many processes as CTXT
 * CTXT                  a BLACS context that covers A's grid and provides the processes of B's grid. All processes of
 *                       CTXT call with equal arguments. A process outside A's grid passes DESCA(CTXT_) = -1; its other
 *                       arguments of A are ignored.
 * USERMAP(LDUMAP, *)    output, column-major, NPCOL columns, LDUMAP >= NPROW: entry (i, j), counted from 1, is the
 *                       process at (i - 1, j - 1) of B's grid, the same on all processes. Numbers are those of
 *                       BLACS_PNUM(CTXT, ...): positions in CTXT, row-major, from 0. BLACS_GRIDMAP takes them with the
 *                       system context of BLACS_GET(CTXT, 10). The default system context, BLACS_GET(-1, 0), has the
 *                       same numbers if BLACS_GRIDINIT 'Row' made CTXT from all processes.
 * KEPT(2)               output: the fractions of the M N elements that stay on their process with this map and with the
 *                       row-major grid of CTXT's processes. In C it may be NULL.
 *
 * Among the best maps, the result is one that agrees with the row-major grid in the most positions. Above 1024
 * positions the map may not be optimal, but keeps at least as many elements as the row-major grid, and at least half as
 * many as an optimal map.
 *
 * INFO                  output: 0, or a code of xredist.h; xredist_error() has the sentence. All processes of CTXT have
 *                       the same code and sentence, as after xredist_plan_create_blacs (blacs.h). INFO is optional with
 *                       the interface of module xredist_mapping, and in C it may be NULL; without it, an error prints
 *                       the sentence and ends the program by BLACS_ABORT. The C function returns the code. */
#ifndef XREDIST_GRIDMAP_H
#define XREDIST_GRIDMAP_H

#include "xredist/integer.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

XREDIST_API void xredist_gridmap_(const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                  const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                  const xredist_int* jb, const xredist_int* mb, const xredist_int* nb,
                                  const xredist_int* rsrc, const xredist_int* csrc, const xredist_int* nprow,
                                  const xredist_int* npcol, const xredist_int* ctxt, xredist_int* usermap,
                                  const xredist_int* ldumap, double* kept, xredist_int* info);

/* In C and C++ as well, usermap is column-major, ready for Cblacs_gridmap. */
XREDIST_API int xredist_gridmap(xredist_int m, xredist_int n, xredist_int ia, xredist_int ja, const xredist_int* desca,
                                xredist_int ib, xredist_int jb, xredist_int mb, xredist_int nb, xredist_int rsrc,
                                xredist_int csrc, xredist_int nprow, xredist_int npcol, xredist_int ctxt,
                                xredist_int* usermap, xredist_int ldumap, double* kept);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
