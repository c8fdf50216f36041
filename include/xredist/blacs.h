/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans from BLACS contexts and array descriptors. They do the work of P?GEMR2D and P?TRMR2D, and the functions of
 * xredist.h execute them:
 *
 *   xredist_operation copy = {.m = m, .n = n, .type = 'D'};
 *   xredist_plan_create_blacs(ctxt, desca, descb, &copy, NULL, &plan);
 *   xredist_execute(&(xredist_job){.plan = plan, .a = local_a, .b = local_b});
 *
 * The libraries xredist_scalapack, xredist_scalapack_ilp64 and xredist_prefixed have these functions. */
#ifndef XREDIST_BLACS_H
#define XREDIST_BLACS_H

#include "xredist/file.h"
#include "xredist/integer.h"
#include "xredist/xredist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Partitions of the dimensions of A and B. NULL: the dimension is block-cyclic. For a dimension with a partition, MB_
 * and RSRC_ (NB_ and CSRC_) of the array descriptor are ignored, and the last bound is M_ (N_). */
typedef struct xredist_partitions {
  const xredist_partition *rows_a XREDIST_ZERO, *cols_a XREDIST_ZERO;
  const xredist_partition *rows_b XREDIST_ZERO, *cols_b XREDIST_ZERO;
} xredist_partitions;

/* Makes a plan for a BLACS context.
 *
 * ctxt          a BLACS context that covers both grids. All processes of ctxt call and pass the same arguments, except
 *               for matrices whose grid they are outside of. The library checks this.
 * desca, descb  array descriptors, as for P?GEMR2D. On a process outside a grid, desc[1] is -1 and the other arguments
 *               of this matrix are ignored.
 * operation     as for xredist_plan_create, but 'I' is xredist_int; 64-bit integers cannot be converted
 * partitions    NULL if all dimensions are block-cyclic. All processes of ctxt pass equal partitions, even outside the
 *               grid; the library checks this.
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
                                          const xredist_operation* operation, const xredist_partitions* partitions,
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
 * rows, cols  partitions of the dimensions of the matrix, equal on all processes of ctxt; NULL: block-cyclic
 * layout      output: the layout, equal on all processes. It refers to rows, cols and ranks.
 * ranks       output: an array with an entry for each process of ctxt, which becomes layout->ranks
 *
 * Collective over ctxt. The library checks the entries on each process, and compares them as xredist_plan_create_blacs
 * does; all processes return the same code. */
XREDIST_API int xredist_layout_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partition* rows,
                                     const xredist_partition* cols, xredist_layout* layout, int ranks[]);

/* Write the submatrix of a matrix to a file, and read it, as xredist_write and xredist_read do (file.h).
 *
 * ctxt          a BLACS context that covers the grid. Collective: all processes of ctxt return the same code.
 * desc          array descriptor of the whole matrix, as for P?GEMR2D. On a process outside the grid, desc[1] is -1.
 *               The library checks the entries on each process, and compares them as xredist_plan_create_blacs does.
 * rows, cols    partitions of the dimensions of the matrix, equal on all processes of ctxt; NULL: block-cyclic
 * file          equal on all processes of ctxt; type 'I' is xredist_int */
XREDIST_API int xredist_write_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partition* rows,
                                    const xredist_partition* cols, const void* a, const xredist_file* file);
XREDIST_API int xredist_read_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partition* rows,
                                   const xredist_partition* cols, void* b, const xredist_file* file);

#ifdef __cplusplus
}
#endif
#endif
