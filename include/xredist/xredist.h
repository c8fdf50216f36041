/* xredist: redistribution of block-cyclic matrices over MPI, planned once, executed many times.
 *
 * A plan moves an m x n submatrix of A to one of B:
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := A(ia:ia+m-1, ja:ja+n-1)
 *
 * A and B are block-cyclic on process grids made of processes of one communicator; local parts are
 * column-major. Indices are from 1, as in ScaLAPACK; sizes and leading dimensions count elements.
 * Functions return 0, -k if argument k is wrong, or one of the values below; nothing is printed. */
#ifndef XREDIST_H
#define XREDIST_H

#include <mpi.h>
#include <stdint.h>

#include "xredist/api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XREDIST_NO_MEMORY 1
#define XREDIST_BAD_OPTION 2   /* a variable XREDIST_... of rank 0's environment has a bad value */
#define XREDIST_DISAGREEMENT 3 /* processes exchange other lengths than they expect: their arguments differ.
                                  On this communicator nothing is exchanged any more. */
#define XREDIST_PEER_FAILED 4  /* another process lacks memory for this exchange. Later ones are not concerned. */

/* A distribution over an nprow x npcol grid. */
typedef struct {
  int nprow, npcol;
  const int *ranks; /* ranks[row * npcol + col] in the communicator; NULL: 0, 1, 2 ... Read by
                       xredist_plan_create only. */
  int64_t mb, nb;   /* block size, 1 to 2^40; sizes and indices are bounded likewise */
  int rsrc, csrc;   /* process that holds the matrix's first block */
} xredist_layout;

typedef struct xredist_plan xredist_plan;

/* Plans on this process; collective over comm at its first use (the data travel on a duplicate of
 * it, made once), local afterwards. All processes that are in a grid pass equal values. bytes: size
 * of an element, 4, 8 or 16. m, n >= 0. The plan is the caller's, who destroys it while comm exists. */
XREDIST_API int xredist_plan_create(MPI_Comm comm, int64_t m, int64_t n, int bytes,
                                    const xredist_layout *a, int64_t ia, int64_t ja,
                                    const xredist_layout *b, int64_t ib, int64_t jb, xredist_plan **plan);

/* One or several redistributions under way. */
typedef struct xredist_request xredist_request;

/* Sets an option of plans that are made for comm from now on; collective over comm at its first use, local
 * afterwards; the same on all processes. Name and value as in the environment's variables: "buffer", "64M". */
XREDIST_API int xredist_set_option(MPI_Comm comm, const char *name, const char *value);

/* Moves: collective over the processes of both grids. a, b: local parts of the whole matrices,
 * with leading dimensions lda, ldb; may be NULL where the process holds nothing of the submatrix. */
XREDIST_API int xredist_execute(const xredist_plan *plan, const void *a, int64_t lda, void *b, int64_t ldb);

/* The same without waiting for the end: until then plan and arrays stay, B is not looked at and A not
 * changed. Exchanges are carried out one after the other in the order of their start, which is the
 * same on all processes; messages move in start, in test, and in wait, of any of them. */
XREDIST_API int xredist_start(const xredist_plan *plan, const void *a, int64_t lda, void *b, int64_t ldb,
                              xredist_request **request);

/* `count` redistributions in one exchange: what they have for the same pair of processes travels
 * together. plans[i], all of one communicator, moves a[i] to b[i]; the arrays of arguments are read by
 * the call only. The same plan may come more than once; the same plans in the same order everywhere. */
XREDIST_API int xredist_start_batch(int count, const xredist_plan *const plans[], const void *const a[],
                                    const int64_t lda[], void *const b[], const int64_t ldb[],
                                    xredist_request **request);

/* Makes progress; *done = 1 at the end. Then, as xredist_wait, frees *request and sets it to NULL; a NULL
 * request is done. */
XREDIST_API int xredist_test(xredist_request **request, int *done);
XREDIST_API int xredist_wait(xredist_request **request);

XREDIST_API void xredist_plan_destroy(xredist_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
