/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the process for each position of B's grid such that the most elements of the redistribution
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * stay on the process that already holds them. For plans over MPI; gridmap.h does the same for BLACS. */
#ifndef XREDIST_RELABEL_H
#define XREDIST_RELABEL_H

#include "xredist/xredist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills the caller's array ranks, of b->nprow * b->npcol entries: ranks[row * b->npcol + col] is the rank in comm of
 * the process for that position, rows and columns counted from 0. The array can then become b->ranks. The other
 * arguments are those of xredist_plan_create. Local, no communication; equal arguments give the same result on all
 * processes.
 *
 * If b->ranks is NULL, any processes of comm may be chosen; otherwise only those of b->ranks, in another order.
 * kept[0] is the fraction of the m n elements that stay with the result, kept[1] with b as it was passed; kept may be
 * NULL. Among the grids that keep the most elements, the result is one that agrees with b as passed in the most
 * positions. Beyond 1024 positions it is not always the best, but it keeps at least as much as b and at least half as
 * much as the best grid.
 *
 * Returns 0, -k if argument k is wrong, or XREDIST_NO_MEMORY. */
XREDIST_API int xredist_relabel(MPI_Comm comm, int64_t m, int64_t n, const xredist_layout* a, int64_t ia, int64_t ja,
                                const xredist_layout* b, int64_t ib, int64_t jb, int ranks[], double kept[2]);

#ifdef __cplusplus
}
#endif
#endif
