/* xredist: redistribution of block-cyclic matrices over MPI, planned once, executed many times.
 *
 * A plan moves an m x n submatrix of A to one of B:
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * A and B are block-cyclic on process grids made of processes of one communicator; local parts are
 * column-major. Indices are from 1, as in ScaLAPACK; sizes and leading dimensions count elements.
 *
 * Functions return 0, -k if argument k is wrong, or one of the values below; nothing is printed. What returns -k has
 * moved and started nothing: the call may be repeated with the right argument. An exchange that fails on one process
 * fails on all that need it for theirs, and is gone: its request is freed, its plan may be destroyed or used again, its
 * arrays are looked at no more (B is unspecified). Other exchanges under way, and later ones, are not concerned.
 *
 * Threads: with MPI_THREAD_MULTIPLE several threads may call at once, each with communicators (and plans, requests) of
 * its own. With less, calls are made as the level allows calls of MPI. MPI must be initialised, and not yet finalized;
 * it may be finalized by a static destructor or by a function registered with atexit.
 *
 * Between the start of an exchange and its end anything of the library may be called, in the same order of starts and
 * collective calls on all processes. */
#ifndef XREDIST_H
#define XREDIST_H

#include <mpi.h>
#include <stdint.h>

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XREDIST_NO_MEMORY 1
#define XREDIST_BAD_OPTION 2 /* a variable XREDIST_... of rank 0's environment has a bad value */
#define XREDIST_DISAGREEMENT                                                                                    \
  3                           /* processes exchange other lengths than they expect: their arguments differ. The \
                                 processes that see it, or are told, exchange nothing any more with those that  \
                                 took part, on this communicator; they get this value again. */
#define XREDIST_PEER_FAILED 4 /* another process of this exchange lacks memory */

/* A distribution over an nprow x npcol grid. */
typedef struct {
  int nprow, npcol;
  const int* ranks; /* ranks[row * npcol + col] in the communicator; NULL: 0, 1, 2 ... Read by
                       xredist_plan_create only. */
  int64_t mb, nb;   /* block size, 1 to 2^40; sizes and indices are bounded likewise */
  int rsrc, csrc;   /* process that holds the matrix's first block */
} xredist_layout;

typedef struct xredist_plan xredist_plan;

/* Plans on this process; collective over comm at its first use (the data travel on a duplicate of
 * it, made once), local afterwards. All processes that are in a grid pass equal values. bytes: size
 * of an element, 4, 8 or 16. m, n >= 0, m n <= 2^59. The plan is the caller's, who destroys it and does not use it
 * after comm has been freed. On an error *plan is NULL. The buffers of exchanges are allocated here. */
XREDIST_API int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes, const xredist_layout* a, int64_t ia,
                                    int64_t ja, const xredist_layout* b, int64_t ib, int64_t jb, xredist_plan** plan);

/* One or several redistributions under way. */
typedef struct xredist_request xredist_request;

/* Sets an option of plans that are made for comm from now on; collective over comm at its first use, local
 * afterwards; the same on all processes. Name and value as in the environment's variables: "buffer", "64M". */
XREDIST_API int xredist_set_option(MPI_Comm comm, const char* name, const char* value);

/* Moves: collective over the processes of both grids. a, b: local parts of the whole matrices,
 * with leading dimensions lda, ldb: at least the local rows up to the end of the submatrix. Where the process holds
 * nothing of the submatrix they are not looked at, and may be NULL. */
XREDIST_API int xredist_execute(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb);

/* The same without waiting for the end: until then keep plan and arrays, do not read B and do not change A.
 * Exchanges are started in the same order on all processes, and carried out one after the other in this order, unless
 * a later one is waited for. Progress is made only inside calls of the library, of whichever request. */
XREDIST_API int xredist_start(const xredist_plan* plan, const void* a, int64_t lda, void* b, int64_t ldb,
                              xredist_request** request);

/* `count` redistributions in one exchange: what they have for the same pair of processes travels
 * together. plans[i], all of one communicator, moves a[i] to b[i]; the arrays of arguments are read by
 * the call only. The same plan may come more than once; the same plans in the same order everywhere, also on
 * processes that have a part in some of them only. */
XREDIST_API int xredist_start_batch(int count, const xredist_plan* const plans[], const void* const a[],
                                    const int64_t lda[], void* const b[], const int64_t ldb[],
                                    xredist_request** request);

/* Makes progress; *done = 1 at the end, also if that is an error. Then, as xredist_wait always, frees *request and sets
 * it to NULL. A NULL request is done. Where the communicator has been freed before that, which completes what is under
 * way on it, the request is freed here all the same. */
XREDIST_API int xredist_test(xredist_request** request, int* done);
XREDIST_API int xredist_wait(xredist_request** request);

XREDIST_API void xredist_plan_destroy(xredist_plan* plan);

#ifdef __cplusplus
}
#endif
#endif
