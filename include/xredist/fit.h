/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the layout that a solver wants. A program distributes a matrix as its physics needs, for instance in slabs;
 * a solver accepts, or is fast with, other layouts. A fit chooses the number of processes, their grid and the block
 * size by rules, and puts the grid on the processes that already hold most of the matrix:
 *
 *   xredist_rules rules;
 *   xredist_rules_for("scalapack", &rules);
 *   xredist_fit_blacs(ctxt, n, n, desca, NULL, &rules, descb, &local_rows, &local_cols);
 *   xredist_plan_create_blacs(ctxt, desca, descb, NULL, &copy, &there);
 *   xredist_plan_create_blacs(ctxt, descb, desca, NULL, &copy, &back);
 *   xredist_execute(&(xredist_job){.plan = there, .a = local_a, .b = local_b});
 *   if (descb[1] >= 0) solve(n, local_b, descb, w, local_z);
 *   xredist_execute(&(xredist_job){.plan = back, .a = local_z, .b = local_a});
 *   xredist_tell_blacs(ctxt, descb, w, n * sizeof(double));
 *
 * The rules of a solver are a table of published advice, not a model of the machine. xredist_rules_for, xredist_fit and
 * xredist_tell are in all libraries. The functions with a ctxt (blacs.h) are in xredist_scalapack,
 * xredist_scalapack_ilp64 and xredist_prefixed. Errors are as in xredist.h. */
#ifndef XREDIST_FIT_H
#define XREDIST_FIT_H

#include "xredist/xredist.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a solver accepts. A member that is 0 is no rule, or has a default. Layouts that a fit chooses are block-cyclic,
 * with square blocks, and begin on the process (0, 0).
 *
 * A fit takes the largest number of processes for which all other rules can be met; of the grids with as many
 * processes, the squarest, which is wider than high unless the matrix is higher than wide; and on this grid the largest
 * block up to `block`. It returns A's own layout if A is such a layout, obeys the rules on any processes, has at least
 * as many processes as the chosen grid, and has blocks of half to twice the size that the fit takes on A's grid, from
 * min_block to max_block. */
typedef struct xredist_rules {
  int processes XREDIST_ZERO;     /* at most this many, up to the number in the communicator; 0: all */
  int per_node XREDIST_ZERO;      /* at most this many processes of each node; 0: all */
  int multiple XREDIST_ZERO;      /* the number of processes is a multiple of this; 0: 1 */
  int64_t share XREDIST_ZERO;     /* at most m n / share processes, but at least one: small matrices get fewer */
  int64_t block XREDIST_ZERO;     /* the block size if the matrix is large enough; 0: 64, or the nearest size that
                                     min_block and max_block allow */
  int64_t min_block XREDIST_ZERO; /* fewer processes rather than smaller blocks, up to 2^40; on one process, smaller
                                     blocks if `blocks` needs them. 0: 1 */
  int64_t max_block XREDIST_ZERO; /* no larger blocks, not even if A has them; 0: no limit */
  int blocks XREDIST_ZERO;        /* each process owns at least this many whole blocks of rows, and as many of columns,
                                     also on one process, unless blocks are of 1 or 2 elements there. 0: each process
                                     owns an element. ScaLAPACK's workspace queries need 2 (doc/fit.rst). */
  int flat XREDIST_ZERO;          /* a grid of up to this many processes is 1 x P */
  char grid XREDIST_ZERO;         /* shape of larger grids: 'Q' or 0 nearly square (the longer side is at most twice the
                                     shorter one, or 3), which may leave processes out; 'S' square; 'A' any shape, on
                                     all processes, or as many as `processes`, per_node, share or columns allow */
  char power XREDIST_ZERO;        /* 'N' or 0; 'Y': the block size is a power of two */
  int64_t columns XREDIST_ZERO;   /* at most max(m, n) / columns processes, but at least one. ScaLAPACK's PDGESVD needs
                                     1: a column for each process. */
  int64_t reserved[7] XREDIST_ZERO; /* 0 */
} xredist_rules;

/* Sets the rules of a solver: "scalapack", "elpa", "elpa-gpu", "slate", "dlaf" (DLA-Future) or "cusolvermp". The
 * program may change members afterwards. Letters may be upper case. Local. src/fit/solvers.cpp names the source of each
 * number. */
XREDIST_API int xredist_rules_for(const char* solver, xredist_rules* rules);

/* Chooses a layout for an m x n matrix, from 0 to 2^40 rows and columns, of which A is the layout now. A matrix without
 * elements gets one process, whatever the rules say on processes.
 *
 * comm   the processes that B's grid may have, and those of A's
 * rules  NULL: the rules of "scalapack"
 * b      output: the layout. If A has a suitable layout, b is A.
 * ranks  output: an array with an entry for each process of comm, which becomes b->ranks. The caller keeps this array
 *        as long as b is used.
 *
 * All processes pass equal arguments and get equal results. The call is local, unless per_node is set: then it is
 * collective over comm as xredist_plan_create is, and has one outcome if the option "check" is not "local".
 *
 * If the rules cannot be met, the function returns XREDIST_INVALID_ARGUMENT, and xredist_error() names the rule. */
XREDIST_API int xredist_fit(MPI_Comm comm, int64_t m, int64_t n, const xredist_layout* a, const xredist_rules* rules,
                            xredist_layout* b, int ranks[]);

/* Copies `bytes` bytes at data from the first process of B's grid, at (0, 0), to data on all processes of comm:
 * eigenvalues, or INFO. Collective over comm. All processes pass equal layouts and equal bytes. */
XREDIST_API int xredist_tell(MPI_Comm comm, const xredist_layout* b, void* data, int64_t bytes);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
