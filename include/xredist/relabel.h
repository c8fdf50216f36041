/* Which process at which position of a grid that is about to be chosen: so that the most elements of
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * stay on the process that holds them already. For plans over MPI; gridmap.h is the same for BLACS. */
#ifndef XREDIST_RELABEL_H
#define XREDIST_RELABEL_H

#include "xredist/xredist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills ranks[row * npcol + col], which may then be b's. Local, and deterministic: equal arguments give the
 * same answer everywhere.
 *
 * b->ranks NULL: any processes of comm are taken. Otherwise only those, in the order that is the best.
 * kept[0]: the fraction of the m n elements that stay; kept[1]: that of b as it is passed. Of the grids
 * that keep the most one with the most processes where b as passed has them. Beyond 1024 positions a
 * grid is not always the best: at least as good as b, and at least half of the best.
 *
 * Returns 0, -k if argument k is wrong (kept may be NULL), or XREDIST_NO_MEMORY. */
XREDIST_API int xredist_relabel(MPI_Comm comm, int64_t m, int64_t n, const xredist_layout* a, int64_t ia, int64_t ja,
                                const xredist_layout* b, int64_t ib, int64_t jb, int ranks[], double kept[2]);

#ifdef __cplusplus
}
#endif
#endif
