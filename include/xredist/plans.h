/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans from BLACS contexts and array descriptors: what P?GEMR2D and P?TRMR2D do, planned once and carried out any
 * number of times by the functions of xredist.h, with what these add: an exchange may be under way while the program
 * goes on, and several may travel together.
 *
 *   xredist_plan_from_descriptors('D', 'A', 'N', m, n, 1, 1, desca, 1, 1, descb, ctxt, &plan, NULL);
 *   xredist_execute(plan, a, desca[8], b, descb[8]);
 *
 * In the libraries xredist_scalapack, xredist_scalapack_ilp64 and xredist_prefixed. */
#ifndef XREDIST_PLANS_H
#define XREDIST_PLANS_H

#include <stddef.h>

#include "xredist/integer.h"
#include "xredist/xredist.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a plan for
 *
 *   B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
 *
 * type          the elements of A and B: 'I' (xredist_int), 'S', 'D', 'C' or 'Z'
 * uplo          what moves: 'A' all, 'U' the upper trapezoid, 'L' the lower one, as P?TRMR2D has them
 * diag          'N', or 'U': the trapezoid without its diagonal; has no effect with uplo 'A'. The letters may also be
 *               small ones.
 * m, n, ia, ja, desca, ib, jb, descb
 *               as for P?GEMR2D. A process outside a grid passes desc[1] = -1 for that matrix; its other values for the
 *               matrix are not read. The descriptors are read by this call only.
 * ctxt          a BLACS context that covers both grids. All processes of ctxt call, and all pass equal arguments,
 *               but for what they do not know; they are compared.
 * plan          output: the plan, or NULL after an error
 * info          output: the value returned. NULL: an error prints a line that names the argument, and ends the
 *               program by BLACS_ABORT as in the drop-in.
 *
 * Returns 0; -k if argument k is wrong, counted from 1 (type); -(100 k + e) if entry e of argument k is, a descriptor;
 * a value above 0 as in xredist.h. It is the same on all processes of ctxt: if several have found an argument wrong,
 * the first one in the list counts. Only a process that is not in ctxt returns -12 by itself; others do not wait for
 * it. Nothing is printed.
 *
 * The caller owns the plan and frees it by xredist_plan_destroy. It can be used until ctxt is freed (BLACS_GRIDEXIT);
 * later, functions that start exchanges return that it is wrong. A's and B's grids may be freed before. Plans of
 * one context may be in one batch. Their messages travel on a duplicate of the context's communicator, which the first
 * plan makes, and what xredist.h says of exchanges that fail holds for them. Leading dimensions are those of the
 * descriptors. */
XREDIST_API int xredist_plan_from_descriptors(char type, char uplo, char diag, xredist_int m, xredist_int n,
                                              xredist_int ia, xredist_int ja, const xredist_int* desca, xredist_int ib,
                                              xredist_int jb, const xredist_int* descb, xredist_int ctxt,
                                              xredist_plan** plan, xredist_int* info);

/* The same for elements that change on their way: m x n is the submatrix of B, and that of A is n x m if it is
 * transposed. Of the fields of xredist_operation (xredist.h), 'I' is xredist_int; with 64 bits it goes with no other
 * type. Argument 1 is the operation, and ctxt is argument 10. xredist_set_scalars sets alpha and beta. */
XREDIST_API int xredist_plan_operation_from_descriptors(const xredist_operation* operation, xredist_int m,
                                                        xredist_int n, xredist_int ia, xredist_int ja,
                                                        const xredist_int* desca, xredist_int ib, xredist_int jb,
                                                        const xredist_int* descb, xredist_int ctxt, xredist_plan** plan,
                                                        xredist_int* info);

/* The same for matrices whose rows or columns are in intervals (xredist_partition, xredist.h): rows_a, cols_a, rows_b
 * and cols_b, each NULL for a dimension that is block-cyclic, as the descriptor says; otherwise MB_ and RSRC_ (NB_ and
 * CSRC_) of the descriptor are not read, and the last of the cuts is M_ (N_). All processes of ctxt pass equal
 * intervals, also those that pass -1 for the matrix; they are compared. Arguments 7, 8, 12 and 13 are the intervals,
 * and ctxt is argument 14. */
XREDIST_API int xredist_plan_partition_from_descriptors(const xredist_operation* operation, xredist_int m,
                                                        xredist_int n, xredist_int ia, xredist_int ja,
                                                        const xredist_int* desca, const xredist_partition* rows_a,
                                                        const xredist_partition* cols_a, xredist_int ib, xredist_int jb,
                                                        const xredist_int* descb, const xredist_partition* rows_b,
                                                        const xredist_partition* cols_b, xredist_int ctxt,
                                                        xredist_plan** plan, xredist_int* info);

/* As xredist_set_option, for the plans that are made for ctxt from now on: argument 1 is ctxt. */
XREDIST_API int xredist_set_context_option(xredist_int ctxt, const char* name, const char* value);

#ifdef XREDIST_ILP64
XREDIST_API int xredist_plan_from_descriptors_64(char type, char uplo, char diag, xredist_int m, xredist_int n,
                                                 xredist_int ia, xredist_int ja, const xredist_int* desca,
                                                 xredist_int ib, xredist_int jb, const xredist_int* descb,
                                                 xredist_int ctxt, xredist_plan** plan, xredist_int* info);
XREDIST_API int xredist_plan_operation_from_descriptors_64(const xredist_operation* operation, xredist_int m,
                                                           xredist_int n, xredist_int ia, xredist_int ja,
                                                           const xredist_int* desca, xredist_int ib, xredist_int jb,
                                                           const xredist_int* descb, xredist_int ctxt,
                                                           xredist_plan** plan, xredist_int* info);
XREDIST_API int xredist_plan_partition_from_descriptors_64(
    const xredist_operation* operation, xredist_int m, xredist_int n, xredist_int ia, xredist_int ja,
    const xredist_int* desca, const xredist_partition* rows_a, const xredist_partition* cols_a, xredist_int ib,
    xredist_int jb, const xredist_int* descb, const xredist_partition* rows_b, const xredist_partition* cols_b,
    xredist_int ctxt, xredist_plan** plan, xredist_int* info);
XREDIST_API int xredist_set_context_option_64(xredist_int ctxt, const char* name, const char* value);
#endif

/* Fortran: module xredist, which says what they do. Without info an error ends the program. */
XREDIST_API void xredist_plan_from_descriptors_(const char* type, const char* uplo, const char* diag,
                                                const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                                const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                                const xredist_int* jb, const xredist_int* descb,
                                                const xredist_int* ctxt, xredist_plan** plan, xredist_int* info);
XREDIST_API void xredist_plan_operation_from_descriptors_(const xredist_operation* operation, const xredist_int* m,
                                                          const xredist_int* n, const xredist_int* ia,
                                                          const xredist_int* ja, const xredist_int* desca,
                                                          const xredist_int* ib, const xredist_int* jb,
                                                          const xredist_int* descb, const xredist_int* ctxt,
                                                          xredist_plan** plan, xredist_int* info);
XREDIST_API void xredist_plan_partition_from_descriptors_(
    const xredist_operation* operation, const xredist_int* m, const xredist_int* n, const xredist_int* ia,
    const xredist_int* ja, const xredist_int* desca, const xredist_partition* rows_a, const xredist_partition* cols_a,
    const xredist_int* ib, const xredist_int* jb, const xredist_int* descb, const xredist_partition* rows_b,
    const xredist_partition* cols_b, const xredist_int* ctxt, xredist_plan** plan, xredist_int* info);
XREDIST_API void xredist_plan_destroy_(xredist_plan** plan);
XREDIST_API void xredist_set_context_option_(const xredist_int* ctxt, const char* name, const char* value,
                                             xredist_int* info, size_t name_length, size_t value_length);
XREDIST_API void xredist_test_(xredist_request** request, xredist_int* done, xredist_int* info);
XREDIST_API void xredist_wait_(xredist_request** request, xredist_int* info);
XREDIST_API void xredist_test_member_(xredist_request* const* request, const xredist_int* member, xredist_int* done,
                                      xredist_int* info);
XREDIST_API void xredist_wait_member_(xredist_request* const* request, const xredist_int* member, xredist_int* info);

#ifdef __cplusplus
}
#endif
#endif
