/* Where a program is about to create the process grid of B for
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
 *
 * any processes may be at any of its positions. XREDIST_GRIDMAP finds the grid that leaves the most elements
 * on the process that holds them already, as a map for BLACS_GRIDMAP:
 *
 *   CALL XREDIST_GRIDMAP(M, N, IA, JA, DESCA, IB, JB, MB, NB, RSRC, CSRC, NPROW, NPCOL, CTXT, USERMAP, LDUMAP, KEPT)
 *   CALL BLACS_GET(CTXT, 10, TARGET)
 *   CALL BLACS_GRIDMAP(TARGET, USERMAP, LDUMAP, NPROW, NPCOL)
 *
 * M, N, IA, JA, DESCA   as of P?GEMR2D
 * IB ... CSRC           of B on its grid of NPROW x NPCOL processes, as in its descriptor
 * CTXT                  covers A's grid; B's grid gets processes of it. All its processes call, with equal
 *                       arguments; one outside of A's grid passes DESCA(CTXT_) = -1, and its other values for A
 *                       are not looked at. NPROW NPCOL is at most the number of its processes.
 * USERMAP(LDUMAP, *)    out: (i, j) is the process for row i - 1, column j - 1 of B's grid, as BLACS_PNUM(CTXT)
 *                       numbers it: its place in CTXT, row-major. The same on all processes. These numbers
 *                       are right for the system context that BLACS_GET(CTXT, 10) gives; the default one,
 *                       BLACS_GET(-1, 0), has the same where CTXT is all processes by BLACS_GRIDINIT 'Row'.
 * KEPT(2)               out: the fraction of the M N elements that stays with this map, and with the row-major
 *                       grid, whose position k has the k-th process of CTXT. (C: may be NULL.)
 *
 * Of the maps that keep the most one with the most positions as in the row-major grid. Beyond 1024 positions
 * a map is not always the best: at least as good as the row-major grid, and at least half of the best.
 * An error is named on stderr and ends in BLACS_ABORT. */
#ifndef XREDIST_GRIDMAP_H
#define XREDIST_GRIDMAP_H

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fortran. */
XREDIST_API void xredist_gridmap_(const int* m, const int* n, const int* ia, const int* ja, const int* desca,
                                  const int* ib, const int* jb, const int* mb, const int* nb, const int* rsrc,
                                  const int* csrc, const int* nprow, const int* npcol, const int* ctxt, int* usermap,
                                  const int* ldumap, double* kept);

/* C and C++: usermap column-major as well, ready for Cblacs_gridmap. */
XREDIST_API void xredist_gridmap(int m, int n, int ia, int ja, const int* desca, int ib, int jb, int mb, int nb,
                                 int rsrc, int csrc, int nprow, int npcol, int ctxt, int* usermap, int ldumap,
                                 double* kept);

#ifdef __cplusplus
}
#endif
#endif
