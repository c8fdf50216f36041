/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans, files and fits from BLACS contexts and array descriptors. Plans do the work of P?GEMR2D and P?TRMR2D, and the
 * functions of xredist.h execute them:
 *
 *   xredist_operation copy = {.m = m, .n = n, .type = 'D'};
 *   xredist_plan_create_blacs(ctxt, desca, descb, NULL, &copy, &plan);
 *   xredist_execute(&(xredist_job){.plan = plan, .a = local_a, .b = local_b});
 *
 * The libraries xredist_scalapack, xredist_scalapack_ilp64 and xredist_prefixed have these functions. */
#ifndef XREDIST_BLACS_H
#define XREDIST_BLACS_H

#include "xredist/file.h"
#include "xredist/fit.h"
#include "xredist/integer.h"
#include "xredist/xredist.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Partitions of the dimensions of A and B. NULL: the dimension is block-cyclic. For a dimension with a partition, MB_
 * and RSRC_ (NB_ and CSRC_) of the array descriptor are ignored, and the last bound is M_ (N_). */
typedef struct xredist_partitions {
  const xredist_partition *rows_a XREDIST_ZERO, *cols_a XREDIST_ZERO;
  const xredist_partition *rows_b XREDIST_ZERO, *cols_b XREDIST_ZERO;
  int64_t reserved[4] XREDIST_ZERO; /* 0 */
} xredist_partitions;

/* Makes a plan for a BLACS context.
 *
 * ctxt          a BLACS context that covers both grids. All processes of ctxt call and pass the same arguments, except
 *               for matrices whose grid they are outside of. The library checks this.
 * desca, descb  array descriptors, as for P?GEMR2D. On a process outside a grid, desc[1] is -1 and the other arguments
 *               of this matrix are ignored.
 * partitions    NULL if all dimensions are block-cyclic. All processes of ctxt pass equal partitions, even outside the
 *               grid; the library checks this.
 * operation     as for xredist_plan_create, but 'I' is xredist_int; 64-bit integers cannot be converted. All processes
 *               of ctxt pass equal lists, even outside the grids; the library checks this.
 * plan          output: the plan, or NULL after an error
 *
 * All processes of ctxt return the same code, and xredist_error() has the same sentence: of the lowest rank that has
 * failed, after "process <rank>: " unless all have failed. A process outside ctxt returns that ctxt is invalid, and the
 * others do not wait for it.
 *
 * The caller owns the plan. The plan is usable until ctxt is freed (BLACS_GRIDEXIT); later starts return that the plan
 * is invalid. A's and B's grids may be freed earlier. All plans of one context may be in one batch. The first plan of a
 * context duplicates its communicator for the messages of all its plans. */
XREDIST_API int xredist_plan_create_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                                          const xredist_partitions* partitions, const xredist_operation* operation,
                                          xredist_plan** plan);

/* Sets an option for all plans that xredist_plan_create_blacs makes for ctxt later, as xredist_set_option does. Calls
 * of P?GEMR2D and P?TRMR2D have the options of the environment. */
XREDIST_API int xredist_set_option_blacs(xredist_int ctxt, const char* name, const char* value);

/* Sets *comm to the communicator of a BLACS context. The rank of a process is its position in the context, row-major.
 * The communicator belongs to BLACS. Local. */
XREDIST_API int xredist_comm_blacs(xredist_int ctxt, MPI_Comm* comm);

/* Describes a matrix of an array descriptor for the functions of xredist.h, with the communicator of ctxt: plans over
 * MPI, xredist_relabel, xredist_local_to_global and others.
 *
 * ctxt        a BLACS context that covers the grid of the matrix
 * desc        array descriptor, as for P?GEMR2D. On a process outside the grid, desc[1] is -1.
 * partitions  rows_a and cols_a, if the matrix has partitions, equal on all processes of ctxt; otherwise NULL
 * layout      output: the layout, equal on all processes. It refers to these partitions and to ranks.
 * ranks       output: an array with an entry for each process of ctxt, which becomes layout->ranks
 *
 * Collective over ctxt. The library checks the entries on each process, and compares them as xredist_plan_create_blacs
 * does; all processes return the same code. */
XREDIST_API int xredist_layout_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                                     xredist_layout* layout, int ranks[]);

/* Write the submatrix of a matrix to a file, and read it, as xredist_write and xredist_read do (file.h).
 *
 * ctxt          a BLACS context that covers the grid. Collective: all processes of ctxt return the same code.
 * desc          array descriptor of the whole matrix, as for P?GEMR2D. On a process outside the grid, desc[1] is -1.
 *               The library checks the entries on each process, and compares them as xredist_plan_create_blacs does.
 * partitions    NULL if both dimensions are block-cyclic; otherwise rows_a and cols_a (xredist_write_blacs) or rows_b
 *               and cols_b (xredist_read_blacs), equal on all processes of ctxt
 * file          equal on all processes of ctxt; type 'I' is xredist_int */
XREDIST_API int xredist_write_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                                    const void* a, const xredist_file* file);
XREDIST_API int xredist_read_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                                   void* b, const xredist_file* file);

/* Does the work of xredist_fit with BLACS, for A(1:m, 1:n).
 *
 * ctxt        a BLACS context that covers A's grid and provides the processes of B's grid
 * desca       array descriptor of A. On a process outside A's grid, desca[1] is -1 and its other entries are ignored.
 * partitions  rows_a and cols_a, if A has partitions (blacs.h); otherwise NULL. rows_b and cols_b are ignored.
 * rules       NULL: the rules of "scalapack"
 * descb       output: the array descriptor of B, or a copy of desca if A has a suitable layout. On a process outside
 *             B's grid, descb[1] is -1.
 * rows, cols  output: the size of B's local array, 0 x 0 outside B's grid; the leading dimension in descb is the number
 *             of rows, at least 1. May be NULL.
 *
 * All processes of ctxt call and pass equal arguments, except for desca outside of A's grid. The library checks this.
 * All processes return the same code, and xredist_error() has the same sentence: of the lowest rank that has failed,
 * after "process <rank>: " unless all have failed. A process outside ctxt returns that ctxt is invalid.
 *
 * The context in descb belongs to the library. Calls with equal arguments, and others that choose the same grid, return
 * the same context. It is freed by xredist_fit_free, with ctxt (BLACS_GRIDEXIT), or with all contexts (BLACS_EXIT); the
 * program does not free it. BLACS is not thread-safe: during a call that may make or free contexts, no other thread
 * uses BLACS. */
XREDIST_API int xredist_fit_blacs(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                                  const xredist_partitions* partitions, const xredist_rules* rules, xredist_int* descb,
                                  xredist_int* rows, xredist_int* cols);

/* Frees the contexts that xredist_fit_blacs has made for ctxt. Descriptors with them become invalid. Plans stay usable.
 * Collective over ctxt. */
XREDIST_API int xredist_fit_free(xredist_int ctxt);

/* Does the work of xredist_tell for all processes of ctxt. descb is any array descriptor; outside its grid, descb[1] is
 * -1. Collective over ctxt. All processes return the same code, and find out if their bytes differ. */
XREDIST_API int xredist_tell_blacs(xredist_int ctxt, const xredist_int* descb, void* data, int64_t bytes);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
