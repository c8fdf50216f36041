/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the process grid of B for the redistribution
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1).
 *
 * A grid may have any processes at any of its positions. Before a program creates B's grid, XREDIST_GRIDMAP finds the
 * grid that leaves the most elements on the process that already holds them, as a map for BLACS_GRIDMAP:
 *
 *   CALL XREDIST_GRIDMAP(M, N, IA, JA, DESCA, IB, JB, MB, NB, RSRC, CSRC, NPROW, NPCOL, CTXT, USERMAP, LDUMAP, KEPT)
 *   CALL BLACS_GET(CTXT, 10, TARGET)
 *   CALL BLACS_GRIDMAP(TARGET, USERMAP, LDUMAP, NPROW, NPCOL)
 *
 * M, N, IA, JA, DESCA   as for P?GEMR2D: M, N count elements, IA, JA are counted from 1
 * IB, JB                first row and column of the submatrix of B, counted from 1
 * MB, NB, RSRC, CSRC    block sizes of B, in elements, and row and column of the process that holds its first block,
 *                       counted from 0, as in its descriptor
 * NPROW, NPCOL          shape of B's grid; it has at most as many processes as CTXT
 * CTXT                  a BLACS context that covers A's grid; B's grid gets processes of CTXT. All processes of CTXT
 *                       call, with equal arguments. A process outside A's grid passes DESCA(CTXT_) = -1; its other
 *                       values for A are not read.
 * USERMAP(LDUMAP, *)    output, column-major, NPCOL columns, LDUMAP >= NPROW: entry (i, j), counted from 1, is the
 *                       process for row i - 1, column j - 1 of B's grid, the same on all processes. Processes are
 *                       numbered from 0 as by BLACS_PNUM(CTXT): by their position in CTXT, row-major. BLACS_GRIDMAP
 *                       takes these numbers with the system context that BLACS_GET(CTXT, 10) returns. The default
 *                       system context, BLACS_GET(-1, 0), has the same numbers if CTXT has all processes, by
 *                       BLACS_GRIDINIT 'Row'.
 * KEPT(2)               output: the fractions of the M N elements that stay with this map, and with the row-major
 *                       grid, whose position k has the k-th process of CTXT. In C it may be NULL.
 *
 * Among the maps that keep the most elements, the result is one that agrees with the row-major grid in the most
 * positions. Beyond 1024 positions the map is not always the best, but it keeps at least as much as the row-major grid
 * and at least half as much as the best map. An error is named on stderr and ends the program by BLACS_ABORT.
 *
 * With XREDIST_ILP64, integers have 64 bits (integer.h), and the routine has a second name, XREDIST_GRIDMAP_64. */
#ifndef XREDIST_GRIDMAP_H
#define XREDIST_GRIDMAP_H

#include "xredist/api.h"
#include "xredist/integer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fortran. */
XREDIST_API void xredist_gridmap_(const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                  const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                  const xredist_int* jb, const xredist_int* mb, const xredist_int* nb,
                                  const xredist_int* rsrc, const xredist_int* csrc, const xredist_int* nprow,
                                  const xredist_int* npcol, const xredist_int* ctxt, xredist_int* usermap,
                                  const xredist_int* ldumap, double* kept);

/* C and C++: usermap is column-major as well, ready for Cblacs_gridmap. */
XREDIST_API void xredist_gridmap(xredist_int m, xredist_int n, xredist_int ia, xredist_int ja, const xredist_int* desca,
                                 xredist_int ib, xredist_int jb, xredist_int mb, xredist_int nb, xredist_int rsrc,
                                 xredist_int csrc, xredist_int nprow, xredist_int npcol, xredist_int ctxt,
                                 xredist_int* usermap, xredist_int ldumap, double* kept);

#ifdef XREDIST_ILP64
XREDIST_API void xredist_gridmap_64_(const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                     const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                     const xredist_int* jb, const xredist_int* mb, const xredist_int* nb,
                                     const xredist_int* rsrc, const xredist_int* csrc, const xredist_int* nprow,
                                     const xredist_int* npcol, const xredist_int* ctxt, xredist_int* usermap,
                                     const xredist_int* ldumap, double* kept);

XREDIST_API void xredist_gridmap_64(xredist_int m, xredist_int n, xredist_int ia, xredist_int ja,
                                    const xredist_int* desca, xredist_int ib, xredist_int jb, xredist_int mb,
                                    xredist_int nb, xredist_int rsrc, xredist_int csrc, xredist_int nprow,
                                    xredist_int npcol, xredist_int ctxt, xredist_int* usermap, xredist_int ldumap,
                                    double* kept);
#endif

#ifdef __cplusplus
}
#endif
#endif
