/* SPDX-License-Identifier: BSD-3-Clause */
/* xredist: redistribution of distributed matrices over MPI, planned once, executed many times.
 *
 * A plan moves an m x n submatrix of A to one of B:
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * A and B are on process grids made of processes of one communicator, each dimension block-cyclic or in intervals of
 * any lengths; local parts are column-major. Matrix indices are counted from 1, as in ScaLAPACK; ranks and rows and
 * columns of grids are counted from 0. Sizes and leading dimensions count elements. A and B must not overlap, unless
 * all data are on one process.
 *
 * Functions return 0, -k if argument k (counted from 1) is wrong, or one of the values below; nothing is printed. A
 * call that returns -k has moved and started nothing; it may be repeated with the right argument. No other process
 * learns of it: the processes that depend on this one for an exchange or a collective call wait until it calls again
 * with the right argument. A process that starts an exchange in which others have a part, and which they never start,
 * waits for ever. Passing a plan or a request that has been freed is undefined behaviour, as with free().
 *
 * An exchange that fails on one process fails on all processes that depend on it for their part. It is then over: its
 * request is freed, its plan may be destroyed or used again, its arrays are not accessed any more, and B is
 * unspecified. Other exchanges, under way or later, are not affected.
 *
 * Threads: with MPI_THREAD_MULTIPLE, several threads may call at the same time, each with its own communicators, plans
 * and requests. With a lower level, the rules for calls of MPI hold for calls of this library. MPI must be initialised
 * and not yet finalized; it may be finalized by a static destructor or by a function registered with atexit. A
 * communicator is an intracommunicator; for another one, and while MPI does not run, functions return that comm is
 * wrong.
 *
 * Between the start of an exchange and its end, any function of the library may be called. All processes make their
 * starts and collective calls in the same order. */
#ifndef XREDIST_H
#define XREDIST_H

#include <mpi.h>
#include <stdint.h>

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This process lacks memory. */
#define XREDIST_NO_MEMORY 1
/* A variable XREDIST_... in the environment of rank 0 has an invalid value. */
#define XREDIST_BAD_OPTION 2
/* Processes passed different arguments: a message has a length other than the expected one. The processes that detect
 * this, or are told of it, exchange nothing more on this communicator with those that took part; later exchanges with
 * them return this value again. */
#define XREDIST_DISAGREEMENT 3
/* Another process of this exchange lacks memory. */
#define XREDIST_PEER_FAILED 4

/* One dimension of a matrix in intervals of any lengths. Interval i has the elements cuts[i] + 1 to cuts[i + 1],
 * counted from 1, and is held by row (of cols: column) owners[i] of the process grid. What a process holds lies in its
 * local array in the order of the matrix, as ScaLAPACK's blocks do. An interval may be empty, and a process may have
 * none.
 *
 *   slabs of 30, 0 and 12 rows:   const int64_t cuts[] = {0, 30, 30, 42};
 *                                 const xredist_cuts rows = {3, cuts, NULL};
 *
 * The arrays stay the caller's and are not read after the call. */
typedef struct {
  int64_t intervals;   /* at most 2^31 - 2 */
  const int64_t* cuts; /* intervals + 1 numbers: 0, then none less than the one before; the last is the size of the
                          matrix, at most 2^40 */
  const int* owners;   /* intervals numbers; NULL: 0, 1, 2 ... */
} xredist_cuts;

#ifdef __cplusplus
#define XREDIST_NO_CUTS = nullptr
#else
#define XREDIST_NO_CUTS
#endif

/* A distribution over an nprow x npcol grid: each of the two dimensions is block-cyclic or in intervals. */
typedef struct xredist_layout {
  int nprow, npcol;
  const int* ranks; /* ranks[row * npcol + col] is the rank in the communicator of the process in that row and column;
                       NULL: 0, 1, 2 ... The array stays the caller's and is not read after the call. */
  int64_t mb, nb;   /* block size in elements, 1 to 2^40; sizes and indices are at most 2^40 as well */
  int rsrc, csrc;   /* row and column of the process that holds the first block of the matrix */
  const xredist_cuts* rows XREDIST_NO_CUTS; /* NULL: block-cyclic; otherwise mb and rsrc are not read */
  const xredist_cuts* cols XREDIST_NO_CUTS; /* NULL: block-cyclic; otherwise nb and csrc are not read */
} xredist_layout;

typedef struct xredist_plan xredist_plan;

/* Makes a plan. The first plan of a communicator is collective over comm, also if xredist_set_option has been called
 * before: the processes duplicate comm for the data, and find out which of them share memory and how fast the network
 * is. Later plans are local. All processes of a grid pass equal values. bytes is the size of an element: 4, 8 or 16.
 * m, n >= 0, m n < 2^59. The caller owns the plan: it destroys the plan, and does not use it after comm has been freed.
 * On an error *plan is NULL. The buffers of exchanges are allocated by this call.
 *
 * A submatrix that reaches beyond a dimension in intervals is an error of its ia, ja, ib or jb. What is wrong with
 * intervals is written to the log if the option "verbose" is set. With the option "check", every plan
 * with intervals is collective over comm: the processes compare their intervals, and all return that a (b) is wrong if
 * these differ. */
XREDIST_API int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia,
                                    int64_t ja, const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan);

/* What becomes of the elements that move:
 *
 *   B := beta B + alpha op(A)
 *
 * With alpha = 1 and beta = 0, as it is unless xredist_set_scalars is called, B is not read. An element of A becomes
 * one of B's type as a Fortran assignment converts it, and what is smaller travels: an element of A or of B. Products
 * and sums are formed in B's type and rounded one by one, as PBLAS does: (alpha a) + (beta b). */
typedef struct {
  char type_a, type_b; /* 'I' (int32_t), 'S', 'D', 'C', 'Z'. They are equal, or one has all values of the other: 'I' and
                          'D' or 'Z', 'S' and 'D', 'C' or 'Z', 'D' and 'Z', 'C' and 'Z'. */
  char trans;          /* op(A): 'N': A, 'T': transposed, 'C': conjugate transposed, 'R': conjugated */
  char uplo, diag;     /* which elements of B: 'A': all, 'U', 'L': the upper or lower trapezoid, without its diagonal if
                          diag is 'U' and not 'N'. Trapezoids are those of P?TRMR2D. */
  char mirror;         /* 'N'; 'S', 'H': A is symmetric or Hermitian, and only its triangle uplo is given. All of B is
                          written: the triangle as it is, and the other one from it. Needs m = n, trans 'N', diag 'N'. */
} xredist_operation;

/* As xredist_plan_create, for elements of known types. m x n is the submatrix of B; if A is transposed, its submatrix
 * is n x m. The operation is read by this call only. Elements of A outside of a trapezoid are read, but change nothing,
 * if A is transposed. A and B may be one array where what is written is not read: a matrix completed in its place. Room
 * for a few pieces, in which elements are changed, is allocated when an exchange starts. */
XREDIST_API int xredist_plan_operation(MPI_Comm comm, const xredist_operation* operation, int64_t m, int64_t n,
                                       const xredist_layout* a, int64_t ia, int64_t ja, const xredist_layout* b,
                                       int64_t ib, int64_t jb, xredist_plan** plan);

/* Sets alpha and beta of the exchanges that are started from now on; the two values, of B's type, are read by this call
 * only. All processes that have a part of B pass equal values. Not for a plan of xredist_plan_create, which knows no
 * types: -1. */
XREDIST_API int xredist_set_scalars(xredist_plan* plan, const void* alpha, const void* beta);

/* One redistribution under way, or several that travel together. */
typedef struct xredist_request xredist_request;

/* Sets an option of the plans that are made for comm from now on. Collective over comm if comm has not been used
 * before, local otherwise; all processes of comm pass equal values. Name and value are those of the environment
 * variables: "buffer", "64M" for XREDIST_BUFFER=64M. Both strings are read by this call only. */
XREDIST_API int xredist_set_option(MPI_Comm comm, const char* name, const char* value);

/* Moves the submatrix. Collective over the processes of both grids, of which any may forward messages of others. a and
 * b are the local parts of the whole matrices. Their leading dimensions lda and ldb, in elements, are at least the
 * number of local rows up to the end of the submatrix. On a process that holds nothing of the submatrix of A (B), a and
 * lda (b and ldb) are not read; a (b) may be NULL. */
XREDIST_API int xredist_execute(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb);

/* Starts the exchange that xredist_execute makes, without waiting for its end. Until the end, keep both arrays, do not
 * read B and do not change A. On success *request is the caller's, to be passed to xredist_test or xredist_wait; on an
 * error it is NULL. All processes start exchanges in the same order. They are carried out one after the other in this
 * order, unless a later one is waited for. Progress is made only inside calls of the library, for any request. */
XREDIST_API int xredist_start(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb,
                              xredist_request** request);

/* Starts `count` redistributions as one exchange: their data for the same pair of processes travel together. plans[i]
 * moves a[i] to b[i]; all plans are of one communicator. The five arrays of arguments have `count` >= 1 entries each
 * and are read by this call only. A plan may occur more than once. All processes pass the same plans in the same order,
 * also those that take part in some of them only. */
XREDIST_API int xredist_start_batch(int count, const xredist_plan* const plans[], const void* const a[],
                                    const int64_t lda[], void* const b[], const int64_t ldb[],
                                    xredist_request** request);

/* xredist_test makes progress and sets *done to 1 if the exchange has ended, also if it ended with an error; otherwise
 * to 0. xredist_wait returns when the exchange has ended. At the end both free *request and set it to NULL. A NULL
 * request has ended. Freeing the communicator completes the exchanges under way on it; their requests are still to be
 * freed by one of these functions. */
XREDIST_API int xredist_test(xredist_request** request, int* done);
XREDIST_API int xredist_wait(xredist_request** request);

/* The same for one member of a batch, by its number, counted from 0. It is done when B of the member is complete on
 * this process, and A may be changed: then this process may go on with both. Members that go to other processes may
 * still be under way; what this process sends to these has been handed over to MPI by then, in at most half as many
 * bytes more as the option "buffer" says. The rest leaves it inside the next calls of the library, as does all that
 * waits for a permit on slow networks. Members are carried out in the order of the batch, but for short messages
 * between the same two processes, which travel together, and messages in two hops, which wait for each other: so a
 * member may not be done before others that are earlier or that have such messages.
 *
 * Keep the request, which is to be passed to xredist_test or xredist_wait at the end. If
 * the exchange fails, all of these functions return its error; members that were done before are complete. A NULL
 * request has ended. */
XREDIST_API int xredist_test_member(xredist_request* request, int member, int* done);
XREDIST_API int xredist_wait_member(xredist_request* request, int member);

/* Frees a plan. Exchanges under way that use it go on, and their requests stay valid. NULL is allowed. */
XREDIST_API void xredist_plan_destroy(xredist_plan* plan);

#ifdef __cplusplus
}
#endif
#endif
