/* SPDX-License-Identifier: BSD-3-Clause */
/* xredist: redistribution of distributed matrices over MPI. A program makes a plan once and executes it many times.
 *
 * A plan copies an m x n submatrix of A to a submatrix of B:
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * A and B are on process grids, whose processes belong to one communicator. Each dimension of a matrix is block-cyclic
 * or has a partition into intervals of any lengths. Local arrays are column-major. Matrix indices count from 1, as in
 * ScaLAPACK; ranks, grid rows and grid columns count from 0. Sizes and leading dimensions count elements. A and B must
 * not overlap, unless one process holds all data.
 *
 * Functions return 0, -k if argument k (counted from 1) is invalid, or one of the codes below. They print nothing. A
 * call that returns -k has moved and started nothing; the program may repeat the call with a valid argument. No other
 * process learns of the error: processes that depend on this one for an exchange or a collective call wait until it
 * repeats the call. A process waits for ever if it starts an exchange that a peer never starts. Passing a plan or a
 * request that has been freed is undefined behaviour, as with free().
 *
 * An exchange that fails on one process fails on all processes that depend on this process. The exchange is then over:
 * its request is freed, its plan may be destroyed or used again, its arrays are not accessed any more, and B is
 * undefined. Other exchanges, under way or later, are not affected.
 *
 * Threads: with MPI_THREAD_MULTIPLE, several threads may call at the same time, each with its own communicators, plans
 * and requests. With a lower level, the rules for calls of MPI hold for calls of this library. MPI must be initialised
 * and not finalized; a static destructor or a function registered with atexit may finalize MPI. A communicator is an
 * intracommunicator. For another one, and while MPI does not run, functions return that comm is invalid.
 *
 * Between the start and the end of an exchange, any function of the library may be called. All processes start
 * exchanges and make collective calls in the same order. */
#ifndef XREDIST_H
#define XREDIST_H

#include <mpi.h>
#include <stdint.h>

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* This process is out of memory. */
#define XREDIST_NO_MEMORY 1
/* A variable XREDIST_... in the environment of rank 0 has an invalid value. */
#define XREDIST_BAD_OPTION 2
/* Processes passed different arguments: a message has an unexpected length. Processes that detect the error, or are
 * told of it, exchange nothing more on this communicator with the processes of that exchange; later exchanges with them
 * return this code again. */
#define XREDIST_DISAGREEMENT 3
/* Another process of this exchange is out of memory. */
#define XREDIST_PEER_FAILED 4

/* The partition of one dimension of a matrix into intervals of any lengths. Interval i has the elements bounds[i] + 1
 * to bounds[i + 1], counted from 1. Row (for cols: column) owners[i] of the process grid owns interval i. A process
 * stores its elements in the order of the matrix, as it stores ScaLAPACK's blocks. An interval may be empty, and a
 * process may own none.
 *
 *   slabs of 30, 0 and 12 rows:   const int64_t bounds[] = {0, 30, 30, 42};
 *                                 const xredist_partition rows = {3, bounds, NULL};
 *
 * The caller keeps both arrays; the library reads them only during the call. */
typedef struct {
  int64_t count;         /* number of intervals, at most 2^31 - 2 */
  const int64_t* bounds; /* count + 1 ascending numbers; the first is 0, the last is the size of the matrix, at most
                            2^40 */
  const int* owners;     /* count numbers; NULL: 0, 1, 2 ... */
} xredist_partition;

#ifdef __cplusplus
#define XREDIST_NO_PARTITION = nullptr
#else
#define XREDIST_NO_PARTITION
#endif

/* The distribution of a matrix over an nprow x npcol process grid. */
typedef struct xredist_layout {
  int nprow, npcol;
  const int* ranks; /* ranks[row * npcol + col] is the rank in the communicator of the process at (row, col); NULL: 0,
                       1, 2 ... The caller keeps the array; the library reads it only during the call. */
  int64_t mb, nb;   /* block size in elements, 1 to 2^40; sizes and indices are at most 2^40 as well */
  int rsrc, csrc;   /* grid row and column of the process that owns the first block */
  const xredist_partition* rows XREDIST_NO_PARTITION; /* NULL: block-cyclic; otherwise mb and rsrc are ignored */
  const xredist_partition* cols XREDIST_NO_PARTITION; /* NULL: block-cyclic; otherwise nb and csrc are ignored */
} xredist_layout;

typedef struct xredist_plan xredist_plan;

/* Makes a plan and allocates the buffers of its exchanges. The first plan for a communicator is collective over comm,
 * also after xredist_set_option: the processes duplicate comm for the messages of the library, and find out which of
 * them share memory and how fast the network is. Later plans are local. All processes of a grid pass equal values. An
 * element has 4, 8 or 16 bytes. m, n >= 0; m n < 2^59. The caller owns the plan, destroys it, and does not use it after
 * comm has been freed. On an error *plan is NULL.
 *
 * A submatrix that exceeds a partition is an error of its ia, ja, ib or jb. With the option "verbose", the log names
 * the error of an invalid partition. With the option "check", all processes of comm make plans that have partitions,
 * and compare the partitions: if they differ, all processes return that a (b) is invalid. */
XREDIST_API int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia,
                                    int64_t ja, const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan);

/* An operation on the elements:
 *
 *   B := beta B + alpha op(A)
 *
 * The default is alpha = 1 and beta = 0; then B is not read. Elements of A are converted to the type of B as a Fortran
 * assignment does. Messages carry the smaller of the two types. Products and sums are formed in the type of B and
 * rounded one by one, as in PBLAS: (alpha a) + (beta b). */
typedef struct {
  char type_a, type_b; /* 'I' (int32_t), 'S', 'D', 'C', 'Z'. Both are equal, or one type includes all values of the
                          other: 'I' and 'D' or 'Z', 'S' and 'D', 'C' or 'Z', 'D' and 'Z', 'C' and 'Z'. */
  char trans;          /* op(A): 'N' A, 'T' the transpose, 'C' the conjugate transpose, 'R' the conjugate */
  char uplo, diag; /* the elements of B that are written: 'A' all; 'U', 'L' the upper or lower trapezoid of P?TRMR2D,
                      without its diagonal if diag is 'U' and not 'N' */
  char mirror;     /* 'N'; 'S', 'H': A is symmetric or Hermitian, and only its triangle uplo is stored. All of B is
                      written. Needs m = n, trans 'N', diag 'N'. */
} xredist_operation;

/* Makes a plan for an operation; otherwise as xredist_plan_create. m x n is the submatrix of B; the submatrix of a
 * transposed A is n x m. A transposed A is also read outside the trapezoid, without effect on B. A and B may be the
 * same array only if no element is both written and read (completing a triangle in place). The start of an exchange
 * allocates space for a few chunks, in which the operation is applied. */
XREDIST_API int xredist_plan_operation(MPI_Comm comm, const xredist_operation* operation, int64_t m, int64_t n,
                                       const xredist_layout* a, int64_t ia, int64_t ja, const xredist_layout* b,
                                       int64_t ib, int64_t jb, xredist_plan** plan);

/* Sets alpha and beta, two values of B's type, for all exchanges of the plan that start later. All processes that hold
 * a part of B pass equal values. Returns -1 for a plan of xredist_plan_create, which has no types. */
XREDIST_API int xredist_set_scalars(xredist_plan* plan, const void* alpha, const void* beta);

/* One exchange or one batch of exchanges under way. */
typedef struct xredist_request xredist_request;

/* Sets an option for all plans that are made for comm later. Collective over comm at the first use of comm, local
 * afterwards; all processes pass equal strings. Names and values are those of the environment variables: "buffer",
 * "64M" stands for XREDIST_BUFFER=64M. */
XREDIST_API int xredist_set_option(MPI_Comm comm, const char* name, const char* value);

/* Executes a plan. Collective over the processes of both grids, of which any may forward messages of others. a and b
 * are the local parts of the whole matrices. The leading dimensions lda and ldb are at least the number of local rows
 * up to the end of the submatrix. On a process without a part of A's (B's) submatrix, a and lda (b and ldb) are
 * ignored, and a (b) may be NULL. */
XREDIST_API int xredist_execute(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb);

/* Starts the execution of a plan and returns. Until the end, keep both arrays, do not read B, and do not change A. On
 * success, *request belongs to the caller, who passes it to xredist_test or xredist_wait; on an error it is NULL.
 * Exchanges are carried out one after the other in the order of their starts, unless the program waits for a later one.
 * They make progress only inside calls of the library, with any request. Any number may be started. The buffers of
 * exchanges that are under way at once are bounded by the option "buffer"; others wait for their turn. */
XREDIST_API int xredist_start(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb,
                              xredist_request** request);

/* Starts a batch of `count` >= 1 plans as one exchange: all data for a pair of processes travel together. plans[i]
 * moves a[i] to b[i]. All plans have the same communicator; a plan may occur more than once. The five arrays of
 * arguments are read only during the call. All processes pass the same plans in the same order, even if they take part
 * in only some. */
XREDIST_API int xredist_start_batch(int count, const xredist_plan* const plans[], const void* const a[],
                                    const int64_t lda[], void* const b[], const int64_t ldb[],
                                    xredist_request** request);

/* xredist_test makes progress and sets *done to 1 if the exchange has ended, with or without an error, and to 0
 * otherwise. xredist_wait returns when the exchange has ended. At the end, both free *request and set it to NULL. A
 * NULL request has ended. Freeing the communicator completes its exchanges; the program still frees their requests with
 * one of these functions. */
XREDIST_API int xredist_test(xredist_request** request, int* done);
XREDIST_API int xredist_wait(xredist_request** request);

/* Test for, and wait for, one member of a batch, counted from 0. A member is done when its B is complete on this
 * process and its A may be changed. Members of other processes may still be under way. By then this process has passed
 * its data for them to MPI, with at most half the option "buffer" of extra memory; the remainder is sent during later
 * calls of the library, and so are all messages that need a permit on slow networks. Members are carried out in the
 * order of the batch. Short messages between the same two processes travel together, and messages over several rounds
 * wait for each other, so such a member may wait for others.
 *
 * Pass the request to xredist_test or xredist_wait at the end. If the exchange fails, all of these functions return its
 * error; members that were done before are complete. A NULL request has ended. */
XREDIST_API int xredist_test_member(xredist_request* request, int member, int* done);
XREDIST_API int xredist_wait_member(xredist_request* request, int member);

/* Frees a plan. Exchanges under way that use it go on, and their requests stay valid. NULL is a no-op. */
XREDIST_API void xredist_plan_destroy(xredist_plan* plan);

#ifdef __cplusplus
}
#endif
#endif
