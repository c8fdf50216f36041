/* SPDX-License-Identifier: BSD-3-Clause */
/* xredist: redistribution of distributed matrices over MPI. A program makes a plan once and executes it many times:
 *
 *   xredist_layout a = {.nprow = 2, .npcol = 2, .mb = 64, .nb = 64};
 *   xredist_layout b = {.nprow = 1, .npcol = 4, .mb = 32, .nb = 32};
 *   xredist_operation copy = {.m = m, .n = n, .type = 'D'};
 *   xredist_plan* plan;
 *   xredist_plan_create(comm, &a, &b, &copy, &plan);
 *   xredist_execute(&(xredist_job){.plan = plan, .a = local_a, .b = local_b});
 *   xredist_plan_destroy(plan);
 *
 * A and B are on process grids, whose processes belong to one communicator. Each dimension of a matrix is block-cyclic
 * or has a partition. Local arrays are column-major. Matrix indices count from 1, as in ScaLAPACK; ranks, grid rows and
 * grid columns count from 0. Sizes and leading dimensions count elements. A and B must not overlap, with the exceptions
 * that xredist_operation names. In every struct, a member that is 0 has a default. Members "reserved" are 0: new
 * members take their places (promises.html).
 *
 * Errors: functions return XREDIST_SUCCESS (0) or another xredist_code, print nothing, and do not end the program.
 * xredist_error() returns a sentence that names the argument, its value and the rule. A call that returns
 * XREDIST_INVALID_ARGUMENT has moved and started nothing; the program may repeat the call with a valid argument. Unless
 * a function returns the same code on all processes, no other process learns of the error: processes that depend on
 * this one for an exchange or a collective call wait until it repeats the call. A process waits for ever if it starts
 * an exchange that a peer never starts. Passing a plan or a request that has been freed is undefined behaviour, as with
 * free().
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
#include <stddef.h>
#include <stdint.h>

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The codes that functions return. */
typedef enum xredist_code {
  XREDIST_SUCCESS = 0,
  XREDIST_NO_MEMORY = 1,    /* this process is out of memory; in a call with one outcome (below), any process is */
  XREDIST_BAD_OPTION = 2,   /* a variable XREDIST_... in the environment of rank 0 has an invalid value */
  XREDIST_DISAGREEMENT = 3, /* processes passed different arguments: a message has an unexpected length. Processes that
                               detect the error, or are told of it, exchange nothing more on this communicator with the
                               processes of that exchange; later exchanges with them return this code again. MPI ends
                               the program if the message is longer than the packets that the receiver expects. */
  XREDIST_PEER_FAILED = 4,  /* another process of this exchange is out of memory */
  XREDIST_INVALID_ARGUMENT = 5,
  XREDIST_FILE_ERROR = 6 /* a file cannot be opened, read or written, or has other contents (file.h) */
} xredist_code;

/* A call has one outcome if it returns the same code on all its processes, also if memory runs out on one of them:
 * calls with files, xredist_plan_tune, xredist_tell, and the calls that compare arguments because the option "check" is
 * not "local", which are xredist_plan_create, xredist_array_plan_create, and xredist_fit with per_node. Other functions
 * for communicators return XREDIST_NO_MEMORY on the processes that lack memory only; xredist_agree tells the others. */

/* Returns a sentence about the last error of this thread, for instance "a.nprow is 0, must be at least 1"; "" if no
 * call of this thread has failed. The text belongs to the library and changes with the next error of this thread. */
XREDIST_API const char* xredist_error(void);

/* The partition of one dimension of a matrix into intervals of any lengths. Interval i has the elements bounds[i] + 1
 * to bounds[i + 1], counted from 1. Row (for cols: column) owners[i] of the process grid owns interval i. An interval
 * may be empty, and a process may own none. Slabs of 30, 0 and 12 rows:
 *
 *   const int64_t bounds[] = {0, 30, 30, 42};
 *   const xredist_partition rows = {.count = 3, .bounds = bounds};
 *
 * A process stores its elements in the order of the matrix, as it stores ScaLAPACK's blocks, unless `places` tells
 * another order: its owner stores interval i from the local element places[i] + 1 on, counted from 1. No two intervals
 * share local elements. There may be gaps between intervals. The library does not access them, and the size of a local
 * array has them. Process 0 stores the last 10 rows before the first 20:
 *
 *   const int64_t bounds[] = {0, 20, 32, 42}, places[] = {10, 0, 0};
 *   const int owners[] = {0, 1, 0};
 *   const xredist_partition rows = {.count = 3, .bounds = bounds, .owners = owners, .places = places};
 *
 * The caller keeps the arrays; the library reads them only during the call. */
typedef struct xredist_partition {
  int64_t count XREDIST_ZERO;         /* number of intervals, at most 2^31 - 2 */
  const int64_t* bounds XREDIST_ZERO; /* count + 1 ascending numbers; the first is 0, the last is the size of the
                                         matrix, at most 2^40 */
  const int* owners XREDIST_ZERO;     /* count numbers; NULL: 0, 1, 2 ... */
  const int64_t* places XREDIST_ZERO; /* count numbers, from 0; NULL: in the order of the matrix, without gaps */
} xredist_partition;

/* The distribution of a matrix over an nprow x npcol process grid. */
typedef struct xredist_layout {
  int nprow XREDIST_ZERO, npcol XREDIST_ZERO; /* at least 1 */
  int64_t mb XREDIST_ZERO, nb XREDIST_ZERO;   /* block size in elements, 1 to 2^40 */
  int rsrc XREDIST_ZERO, csrc XREDIST_ZERO;   /* grid row and column of the process that owns the first block */
  const int* ranks XREDIST_ZERO; /* ranks[row * npcol + col] is the rank in the communicator of the process at (row,
                                    col); NULL: 0, 1, 2 ... The library reads the array only during the call. */
  const xredist_partition* rows XREDIST_ZERO; /* NULL: block-cyclic; otherwise mb and rsrc are ignored */
  const xredist_partition* cols XREDIST_ZERO; /* NULL: block-cyclic; otherwise nb and csrc are ignored */
  int64_t reserved[5] XREDIST_ZERO;           /* 0 */
} xredist_layout;

/* The operation of a plan:
 *
 *   B(ib:ib+m-1, jb:jb+n-1) := beta B(ib:ib+m-1, jb:jb+n-1) + alpha op(A(ia:ia+m-1, ja:ja+n-1))
 *
 * or, with lists of rows and columns, whose entries count from 1:
 *
 *   B(rows_b[k], cols_b[l]) := beta B(rows_b[k], cols_b[l]) + alpha op(A(rows_a[k], cols_a[l]))
 *
 * Each list that is NULL stands for neighbours, from ib, jb, ia or ja on. A list of A may have an entry several times,
 * a list of B may not. Letters for triangles are about positions in the lists, not about entries.
 *
 * alpha and beta are arguments of the execution (xredist_job). If op transposes, the submatrix of A is n x m. Elements
 * of A are converted to the type of B as a Fortran assignment does. Messages carry the smaller of the two types.
 * Products and sums are formed in the type of B and rounded one by one, as in PBLAS: (alpha a) + (beta b).
 *
 * Letters may be lower case. A transposed A is also read outside the trapezoid, without effect on B. A and B may be the
 * same array if no element is both written and read, and if a triangle of a matrix is completed in place: with mirror,
 * equal layouts and submatrices of A and B, and without alpha and beta. If one process holds all data, plans without
 * mirror have no such rule. */
typedef struct xredist_operation {
  int64_t m XREDIST_ZERO, n XREDIST_ZERO;   /* size of the submatrix of B, 0 to 2^40; m n < 2^59 */
  int64_t ia XREDIST_ZERO, ja XREDIST_ZERO; /* first row and column of the submatrix of A, 1 to 2^40; 0: 1 */
  int64_t ib XREDIST_ZERO, jb XREDIST_ZERO; /* first row and column of the submatrix of B, 1 to 2^40; 0: 1 */
  char type XREDIST_ZERO;   /* type of A's elements: 'I' (int32_t), 'S', 'D', 'C', 'Z'; 0: any type of `bytes` bytes */
  char type_b XREDIST_ZERO; /* type of B's elements; 0: that of A. Otherwise one of both types includes all values of
                               the other: 'I' and 'D' or 'Z', 'S' and 'D', 'C' or 'Z', 'D' and 'Z', 'C' and 'Z'. */
  char trans XREDIST_ZERO;  /* op(A): 'N' or 0 A, 'T' the transpose, 'C' the conjugate transpose, 'R' the conjugate */
  char uplo XREDIST_ZERO;   /* elements of B that are written: 'A' or 0 all; 'U', 'L' the upper or lower trapezoid of
                               P?TRMR2D */
  char diag XREDIST_ZERO;   /* 'N' or 0; 'U': the trapezoid without its diagonal */
  char mirror XREDIST_ZERO; /* 'N' or 0; 'S', 'H': A is symmetric or Hermitian, and only its triangle uplo is stored.
                               All of B is written. Needs m = n and trans and diag 'N'. With 'H', the imaginary parts
                               of A's diagonal count as 0, as in LAPACK. */
  /* Size of an element if type is 0: 1 to 65536; for a trapezoid 1, 2, 4, 8 or 16. Then elements are copied as they
   * are: trans is 'N' or 'T', mirror 'N' or 'S', and executions have no alpha or beta. The fastest sizes are multiples
   * of 4, and if A is transposed 1, 2, 4, 8 and 16. An element is copied in pieces of p bytes, the largest power of 2
   * up to 16 that divides its size. A column of B has at most 2^40 pieces up to the end of the submatrix, and so has a
   * column (a row, if transposed) of A: ib + m - 1 and ia + m - 1 (ja + m - 1) are at most 2^40 / (bytes / p). And m n
   * is less than 2^59 / (bytes / p). */
  int64_t bytes XREDIST_ZERO;
  /* Options of this plan in place of those of its communicator, with blanks between them: "buffer=8M route=direct".
   * NULL: none. The names are buffer, packet, permits, route, threads, algorithm, alpha and beta; "buffer" is at least
   * 512K here. Equal on all processes of both grids. */
  const char* options XREDIST_ZERO;
  /* Lists in place of the numbers ia, ja, ib and jb, which are then 0 or 1; NULL: none. rows_b has m entries and
   * cols_b n; rows_a has m and cols_a n or, if op transposes, n and m; at most 2^31 - 2 entries. Equal on all
   * processes of both grids. The library reads the lists only during the call. A plan of a permutation of 10^5 or 10^6
   * rows took 105 to 176 bytes for an entry on one process, and 54 to 113 on each of four. Entries that are neighbours
   * in the matrix, too, share these bytes. */
  const int64_t *rows_a XREDIST_ZERO, *cols_a XREDIST_ZERO;
  const int64_t *rows_b XREDIST_ZERO, *cols_b XREDIST_ZERO;
  int64_t reserved[3] XREDIST_ZERO; /* 0 */
} xredist_operation;

typedef struct xredist_plan xredist_plan;

/* Makes a plan and allocates the buffers of one execution. The first plan for a communicator is collective over comm,
 * also after xredist_set_option: the processes duplicate comm for the messages of the library, and find out which of
 * them share memory and how fast the network is. Later plans are local. All processes of a grid pass equal values. The
 * caller owns the plan and destroys it. Once comm has been freed, starts return that the plan is invalid. On an error
 * *plan is NULL.
 *
 * Unless the option "check" is "local", every call is collective over comm and compares the arguments of all its
 * processes. One that differs is an error on all processes: "m differs between processes: from 22 to 23". Partitions
 * and ranks are compared, too: "a.rows differs between processes". The call has one outcome: a process gets a plan only
 * if all processes do. */
XREDIST_API int xredist_plan_create(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                    const xredist_operation* operation, xredist_plan** plan);

/* Frees a plan. Exchanges under way that use it continue, and their requests stay valid. NULL is a no-op. */
XREDIST_API void xredist_plan_destroy(xredist_plan* plan);

/* The costs of one execution of a plan on this process. */
typedef struct xredist_plan_info {
  int64_t bytes_sent, bytes_received; /* to and from other processes, including what this process forwards */
  int64_t bytes_kept;                 /* copied from A to B within this process */
  int64_t buffer_bytes;               /* memory for packets and forwarded messages, which xredist_plan_create allocates
                                         unless it is there from an earlier plan. An operation that does more than
                                         copy also takes up to 4 work areas of a packet (256 KB by default). */
  int64_t rows_a, rows_b;             /* local rows up to the end of the submatrix, or up to the last row of a list:
                                         minimum leading dimensions; 0 on a process without a part of it, and in plans
                                         of arrays */
  int64_t steps, rounds;              /* of the schedule (with mirror, the steps of both triangles); 1 round if messages
                                         travel directly. Rounds of each panel */
  int64_t peak_bytes;  /* maximum of the bytes of the parts of A and B that are in memory at once, if the execution
                          consumes A and the pages of A and B come and go as xredist_alloc says; without the buffers */
  int64_t reserved[7]; /* for later versions */
} xredist_plan_info;

/* Sets *info. */
XREDIST_API int xredist_plan_query(const xredist_plan* plan, xredist_plan_info* info);

/* Writes a description of a plan, as the option "verbose" logs it, and a zero byte into text[0 ... size-1]; a longer
 * description is cut off. 512 bytes are enough for most. The description of a plan that has been tuned ends with
 * "measured: ...". */
XREDIST_API int xredist_plan_describe(const xredist_plan* plan, char* text, size_t size);

/* Sets the numbers of local rows and columns that process `rank` holds of an m x n matrix: 0 outside the grid. As
 * NUMROC, for partitions too. With `places`, these are the local rows and columns up to the last one that is held.
 * Local. A partition ends at m (n) or beyond. */
XREDIST_API int xredist_local_size(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t* rows,
                                   int64_t* cols);

/* Sets rows[k] to the row of the m x n matrix that process `rank` stores in its local row k + 1, and cols[k] likewise.
 * The rows (columns) of the matrix and the local ones count from 1: as INDXL2G, for partitions too. The arrays have as
 * many entries as xredist_local_size returns, which ascend unless the partition has places; 0 stands for a gap. The
 * caller owns the arrays. A NULL array is not set. Local.
 * This program fills its local array with a Hilbert matrix:
 *
 *   xredist_local_size(&layout, m, n, rank, &rows, &cols);
 *   xredist_local_to_global(&layout, m, n, rank, i, j);
 *   for (int64_t col = 0; col < cols; ++col)
 *     for (int64_t row = 0; row < rows; ++row) local_a[row + col * rows] = 1.0 / (i[row] + j[col] - 1);
 */
XREDIST_API int xredist_local_to_global(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t rows[],
                                        int64_t cols[]);

/* Finds `count` elements of a matrix: element (rows[k], cols[k]) is element (local_rows[k], local_cols[k]) of the local
 * array of process ranks[k]. Rows and columns count from 1, ranks from 0: as INDXG2P and INDXG2L, for partitions too.
 * Each array has `count` entries; a NULL ranks, local_rows or local_cols is not set. After an error no entry is set.
 * The function reads each partition once in a call, so one call for many elements is faster than many calls. Local. */
XREDIST_API int xredist_global_to_local(const xredist_layout* layout, int64_t count, const int64_t rows[],
                                        const int64_t cols[], int ranks[], int64_t local_rows[], int64_t local_cols[]);

/* Sets an option for all plans that are made for comm later. Collective over comm at the first use of comm, local
 * afterwards; all processes pass equal strings. Names and values are those of the environment variables: "buffer",
 * "64M" stands for XREDIST_BUFFER=64M. */
XREDIST_API int xredist_set_option(MPI_Comm comm, const char* name, const char* value);

/* Writes the value of an option that plans for comm have, and a zero byte, into value[0 ... size-1]: a text that
 * xredist_set_option accepts. Sizes are in bytes. Collective over comm at the first use of comm, local afterwards. */
XREDIST_API int xredist_get_option(MPI_Comm comm, const char* name, char* value, size_t size);

/* For a program whose own functions should return and wait as those of this library do.
 *
 * xredist_fail sets the sentence of xredist_error() and returns `code`. With XREDIST_SUCCESS it changes nothing.
 *
 * xredist_agree makes one failure of many: each process passes the code that a function has returned to it. If any of
 * them is not XREDIST_SUCCESS, all processes return the code, and have the sentence, of the lowest rank that has
 * failed, after "process <rank>: " unless all have failed. Collective over comm: one reduction. So all processes know
 * whether all of them have made a plan, which is local:
 *
 *   int code = xredist_agree(comm, xredist_plan_create(comm, &a, &b, &copy, &plan));
 *
 * xredist_wait_mpi waits for a request of MPI, as MPI_Wait does, while exchanges that are under way make progress.
 *
 * xredist_watch_enter and xredist_watch_leave mark the begin and the end of a function of the program for the option
 * "watch": lines about this thread name `routine` and the size m x n (-1: none) in place of the functions of the
 * library that it calls. A function within a marked one is not named. xredist_watch_wait says for what the marked
 * function waits outside of the library, for instance "the master has sent nothing"; NULL: it waits no longer. The
 * library copies at most 39 bytes of `routine`, and 127 of `text`, and knows 256 different names: further ones become
 * "a function of the program". Local. Without the option these functions do nothing; with it, lines are printed once
 * another function of the library has been called:
 *
 *   xredist_watch_enter("checkpoint", m, n);
 *   int code = xredist_execute(&(xredist_job){.plan = plan, .a = local_a, .b = local_b});
 *   xredist_watch_leave(); */
XREDIST_API int xredist_fail(int code, const char* sentence);
XREDIST_API int xredist_agree(MPI_Comm comm, int code);
XREDIST_API int xredist_wait_mpi(MPI_Request* request);
XREDIST_API void xredist_watch_enter(const char* routine, int64_t m, int64_t n);
XREDIST_API void xredist_watch_leave(void);
XREDIST_API void xredist_watch_wait(const char* text);

/* One execution of a plan. a and b are the local parts of the whole matrices. The leading dimensions lda and ldb are at
 * least the number of local rows up to the end of the submatrix, or up to the last row that a list names; 0 stands for
 * this number, or for LLD_ of the array descriptor from which the plan was made. A list may leave out the last local
 * row: then pass lda or ldb. On a process without a part of A's (B's) submatrix, a and lda (b and ldb)
 * are ignored, and a (b) may be NULL. alpha and beta point to values of B's type; NULL stands for 1 (alpha) and 0
 * (beta). If beta is 0, B is not read. All processes that hold a part of B pass equal values.
 *
 * For a plan of arrays (array.h), a and b point to the first elements of the local arrays, and lda and ldb are 0. Along
 * axis k, neighbours in the local array are strides_a[k] (strides_b[k]) elements apart, 0 to 2^40; NULL: the local
 * array has no gaps. No two elements of B share memory. A local array has less than 2^63 bytes.
 *
 * With consume = 1, the submatrix of A is undefined after the execution, and its memory goes back to the system while
 * it is sent: whole pages whose bytes all belong to elements that have left. Other bytes of the local array, and those
 * of its neighbours, keep their values. A matrix moves in the memory of one matrix if B is new memory (xredist_alloc):
 * B grows while A shrinks, both in small pages (MADV_NOHUGEPAGE). The processes of both grids pass equal values of
 * consume.
 * No other job of the batch reads A. Where memory cannot go back, the execution is the same without: shared memory,
 * files, hugetlbfs, locked memory, less than 1 MiB; if A and B overlap, or B has several copies; trapezoids and
 * mirrored triangles; systems other than Linux. Do not consume memory that a device has registered (cudaHostRegister).
 */
typedef struct xredist_job {
  const xredist_plan* plan XREDIST_ZERO;
  const void* a XREDIST_ZERO;
  int64_t lda XREDIST_ZERO;
  void* b XREDIST_ZERO;
  int64_t ldb XREDIST_ZERO;
  const void *alpha XREDIST_ZERO, *beta XREDIST_ZERO;
  const int64_t *strides_a XREDIST_ZERO, *strides_b XREDIST_ZERO; /* only of plans of arrays */
  int64_t consume XREDIST_ZERO;                                   /* 0 or 1 */
  int64_t reserved[2] XREDIST_ZERO;                               /* 0 */
} xredist_job;

/* Returns memory for `bytes` bytes that are 0, in pages of its own, which come into being when they are first written
 * and which an execution with `consume` returns. NULL if there is no memory, or if bytes is 0; xredist_error says why.
 * xredist_free returns the memory; NULL is a no-op. For large arrays: a call takes as long as a call of the system. */
XREDIST_API void* xredist_alloc(size_t bytes);
XREDIST_API void xredist_free(void* memory);

/* The pages of an array that a program gives back part by part, as `consume` does, when it has used a part for the last
 * time: pages that several parts share go back when all of their bytes have been given up. */
typedef struct xredist_pages xredist_pages;

/* Makes *pages for the `bytes` bytes of an array. The array gets small pages (MADV_NOHUGEPAGE). *pages is NULL
 * if the memory cannot go back: shared memory, files, hugetlbfs, read-only memory, less than 1 MiB, or another system
 * than Linux. Local. */
XREDIST_API int xredist_pages_create(void* array, size_t bytes, xredist_pages** pages);
/* Gives up bytes of the array, each byte once. A page whose bytes have all been given up goes back, and reads as 0 from
 * then on; until then, all bytes keep their values. Bytes outside of the array, and pages = NULL, are ignored. */
XREDIST_API void xredist_pages_give_up(xredist_pages* pages, void* part, size_t bytes);
/* Frees the object. The array keeps its values. NULL is a no-op. */
XREDIST_API void xredist_pages_destroy(xredist_pages* pages);

/* Executes a plan. Collective over the processes of both grids, of which any may forward messages of others. A process
 * may wait until the receivers of its data are in a call of the library, however small the data are. */
XREDIST_API int xredist_execute(const xredist_job* job);

/* Tunes a plan: executes it in several ways (routes, schedules, packet sizes), measures them on the arrays of the job,
 * and has the plan keep the fastest way. A call takes up to 72 executions, and leaves B as one execution does.
 *
 * Collective over the communicator of the plan. Processes outside both grids call, too, with their own plan; their
 * arrays are ignored. beta is 0 or NULL, and A and B do not overlap in memory: otherwise each execution would change
 * the result of the next one. job->plan is `plan` or NULL.
 *
 * If any process has an error of its own, all processes return its code and its sentence, those of the lowest such
 * rank. Then the plan is as it was before the call. B may have changed unless the code is XREDIST_INVALID_ARGUMENT. If
 * `plan` is NULL, or its communicator has been freed, no other process learns of the error. A process that has no valid
 * arguments may pass NULL for job, so that the other processes return. The variable XREDIST_TUNED names a file of
 * results (xredist(7)). */
XREDIST_API int xredist_plan_tune(xredist_plan* plan, const xredist_job* job);

/* One exchange, of one or more jobs, under way. */
typedef struct xredist_request xredist_request;

/* Starts the execution of a batch of `count` >= 1 jobs as one exchange, and returns. All data for a pair of processes
 * travel together. All plans have the same communicator; a plan may occur more than once. All processes pass the same
 * plans in the same order, even if they take part in only some. The library reads the jobs, alpha and beta only during
 * the call.
 *
 * Until the end, keep all arrays, do not read B, and do not change A. On success, *request belongs to the caller, who
 * passes it to xredist_test or xredist_wait; on an error it is NULL. Exchanges are carried out one after the other in
 * the order of their starts, unless the program waits for a later one. They make progress only inside calls of the
 * library, with any request. Any number may be started. The buffers of exchanges that are under way at once are bounded
 * by the option "buffer"; others wait for their turn. */
XREDIST_API int xredist_start(int count, const xredist_job jobs[], xredist_request** request);

/* xredist_test makes progress and sets *done to 1 if the exchange has ended, with or without an error, and to 0
 * otherwise. xredist_wait returns when the exchange has ended. At the end, both free *request and set it to NULL. A
 * NULL request has ended. Freeing the communicator completes its exchanges; the program still frees their requests with
 * one of these functions. */
XREDIST_API int xredist_test(xredist_request** request, int* done);
XREDIST_API int xredist_wait(xredist_request** request);

/* Test for, and wait for, one member (job) of a batch, counted from 0. A member is done when its B is complete on this
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

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
