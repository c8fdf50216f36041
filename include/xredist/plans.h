/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans from BLACS contexts and array descriptors. They do the work of P?GEMR2D and P?TRMR2D, and the functions of
 * xredist.h execute them:
 *
 *   xredist_plan_from_descriptors('D', 'A', 'N', m, n, 1, 1, desca, 1, 1, descb, ctxt, &plan, NULL);
 *   xredist_execute(plan, a, desca[8], b, descb[8]);
 *
 * The libraries xredist_scalapack, xredist_scalapack_ilp64 and xredist_prefixed have these functions. */
#ifndef XREDIST_PLANS_H
#define XREDIST_PLANS_H

#include "xredist/integer.h"
#include "xredist/xredist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a plan for
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
 *
 * type          type of the elements: 'I' (xredist_int), 'S', 'D', 'C' or 'Z'. Letters may be lower case.
 * uplo          'A': all elements move; 'U', 'L': the upper or lower trapezoid of P?TRMR2D
 * diag          'U': the trapezoid without its diagonal; 'N' otherwise
 * m, n, ia, ja, desca, ib, jb, descb
 *               as for P?GEMR2D. On a process outside a grid, desc[1] is -1 and the other arguments of this matrix are
 *               ignored. The descriptors are read only during the call.
 * ctxt          a BLACS context that covers both grids. All processes of ctxt call and pass the same arguments, except
 *               for matrices whose grid they are outside of. The library checks this.
 * plan          output: the plan, or NULL after an error
 * info          output: the return value. If info is NULL, an error prints a line that names the argument and ends the
 *               program by BLACS_ABORT, as in the drop-in.
 *
 * Returns 0; -k if argument k, counted from 1, is invalid; -(100 k + e) if entry e of descriptor k is invalid; or a
 * code of xredist.h. All processes of ctxt return the same value, for the first invalid argument of the list. A process
 * outside ctxt returns -12, and the others do not wait for it. Nothing is printed.
 *
 * The caller owns the plan and frees it with xredist_plan_destroy. The plan is usable until ctxt is freed
 * (BLACS_GRIDEXIT); later starts return that the plan is invalid. A's and B's grids may be freed earlier. All plans of
 * one context may be in one batch. The first plan of a context duplicates its communicator for the messages of all its
 * plans. The leading dimensions are those of the descriptors. */
XREDIST_API int xredist_plan_from_descriptors(char type, char uplo, char diag, xredist_int m, xredist_int n,
                                              xredist_int ia, xredist_int ja, const xredist_int* desca, xredist_int ib,
                                              xredist_int jb, const xredist_int* descb, xredist_int ctxt,
                                              xredist_plan** plan, xredist_int* info);

/* Makes a plan for an operation. m x n is the submatrix of B; the submatrix of a transposed A is n x m. In the
 * operation, 'I' is xredist_int; a 64-bit integer cannot be converted. Argument 1 is the operation, argument 10 is
 * ctxt. xredist_set_scalars sets alpha and beta. */
XREDIST_API int xredist_plan_operation_from_descriptors(const xredist_operation* operation, xredist_int m,
                                                        xredist_int n, xredist_int ia, xredist_int ja,
                                                        const xredist_int* desca, xredist_int ib, xredist_int jb,
                                                        const xredist_int* descb, xredist_int ctxt, xredist_plan** plan,
                                                        xredist_int* info);

/* Makes a plan for matrices with partitions. rows_a, cols_a, rows_b and cols_b are NULL for a block-cyclic dimension.
 * For a dimension with a partition, MB_ and RSRC_ (NB_ and CSRC_) of the descriptor are ignored, and the last bound is
 * M_ (N_). All processes of ctxt pass equal partitions, even outside the grid; the library checks this. Arguments 7, 8,
 * 12 and 13 are the partitions, argument 14 is ctxt. */
XREDIST_API int xredist_plan_partition_from_descriptors(const xredist_operation* operation, xredist_int m,
                                                        xredist_int n, xredist_int ia, xredist_int ja,
                                                        const xredist_int* desca, const xredist_partition* rows_a,
                                                        const xredist_partition* cols_a, xredist_int ib, xredist_int jb,
                                                        const xredist_int* descb, const xredist_partition* rows_b,
                                                        const xredist_partition* cols_b, xredist_int ctxt,
                                                        xredist_plan** plan, xredist_int* info);

/* Sets an option for all plans that are made for ctxt later, like xredist_set_option. */
XREDIST_API int xredist_set_context_option(xredist_int ctxt, const char* name, const char* value);

#if defined(XREDIST_ILP64) && defined(__GNUC__) /* the same functions; the suffix says: integers of 64 bits */
XREDIST_API __typeof__(xredist_plan_from_descriptors) xredist_plan_from_descriptors_64;
XREDIST_API __typeof__(xredist_plan_operation_from_descriptors) xredist_plan_operation_from_descriptors_64;
XREDIST_API __typeof__(xredist_plan_partition_from_descriptors) xredist_plan_partition_from_descriptors_64;
XREDIST_API __typeof__(xredist_set_context_option) xredist_set_context_option_64;
#endif

#ifdef __cplusplus
}
#endif
#endif
