/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the process for each position of B's grid, for plans over MPI; gridmap.h does so for BLACS. The most elements
 * of the redistribution
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * stay on the process that already holds them. */
#ifndef XREDIST_RELABEL_H
#define XREDIST_RELABEL_H

#include "xredist/xredist.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets ranks[row * b->npcol + col] to the rank in comm of the process for (row, col) of B's grid. The array has
 * b->nprow * b->npcol entries and may become b->ranks. If b->ranks is NULL, the grid may get any processes of comm;
 * otherwise the processes of b->ranks in another order. Of the operation, only sizes and indices are used. kept[0] is
 * the fraction of the m n elements that stay on their process with the result, kept[1] with b as passed; kept may be
 * NULL.
 *
 * The call is local. Equal arguments give the same result on all processes. Among the best grids, the result is one
 * that agrees with b as passed in the most positions. Above 1024 positions the result may not be optimal, but keeps at
 * least as many elements as b, and at least half as many as an optimal grid.
 *
 * Returns XREDIST_SUCCESS, XREDIST_INVALID_ARGUMENT or XREDIST_NO_MEMORY: the last one on the processes that lack
 * memory only. */
XREDIST_API int xredist_relabel(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                const xredist_operation* operation, int ranks[], double kept[2]);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
