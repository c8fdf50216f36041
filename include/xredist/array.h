/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for arrays of 1 to 15 dimensions (axes). In this example an array has nx x ny x nz elements. Its pencils are
 * whole along x on a 1 x 2 x 2 grid, and become pencils that are whole along y on a 2 x 1 x 2 grid:
 *
 *   const xredist_axis on_x[] = {{0}, {.procs = 2}, {.procs = 2}}, on_y[] = {{.procs = 2}, {0}, {.procs = 2}};
 *   const xredist_array_layout a = {.dims = 3, .axes = on_x}, b = {.dims = 3, .axes = on_y};
 *   const int64_t shape[] = {nx, ny, nz};
 *   xredist_plan* plan;
 *   xredist_array_plan_create(comm, &a, &b, &(xredist_array_operation){.shape = shape, .type = 'D'}, &plan);
 *   xredist_execute(&(xredist_job){.plan = plan, .a = local_a, .b = local_b});
 *
 * Axes count from 0. Elements count from 1 along each axis, as rows and columns do in xredist.h. The rules of xredist.h
 * for errors, threads and members that are 0 hold here, too. All functions that take a plan take a plan of arrays. Each
 * axis has a distribution of its own, which does not depend on the others (Prylli & Tourancheau 1996, General algorithm
 * for the computation of data sets), so an array of two axes is a matrix. */
#ifndef XREDIST_ARRAY_H
#define XREDIST_ARRAY_H

#include "xredist/xredist.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { XREDIST_MAX_DIMS = 15 };
/* A value of xredist_axis.block. */
enum { XREDIST_EVEN = -1 };

/* The distribution of one axis over `procs` processes. All members 0: every process holds the whole axis. */
typedef struct xredist_axis {
  int procs XREDIST_ZERO;     /* 0: 1 */
  int64_t block XREDIST_ZERO; /* CYCLIC(block): block size in elements, 1 to 2^40. 0: BLOCK, ceil(n / procs) elements as
                                 in HPF and FFTW. XREDIST_EVEN: one block each, of which the first n mod procs have an
                                 element more than the others. n is the size of the array along the axis. */
  int source XREDIST_ZERO;    /* process that owns the first block; not with XREDIST_EVEN */
  const xredist_partition* partition XREDIST_ZERO; /* NULL: block-cyclic; otherwise block and source are ignored */
  int64_t reserved[1] XREDIST_ZERO;                /* 0 */
} xredist_axis;

/* The distribution of an array over the grid axes[0].procs x axes[1].procs x ..., or of several copies of the array,
 * each of which has such a grid of its own. The library reads the lists only during the call. */
typedef struct xredist_array_layout {
  int dims XREDIST_ZERO; /* 1 to XREDIST_MAX_DIMS */
  const xredist_axis* axes XREDIST_ZERO;
  /* The size of the whole array along each axis; NULL: the array ends with the subarray that moves. BLOCK and
   * XREDIST_EVEN divide this size. */
  const int64_t* shape XREDIST_ZERO;
  /* The axes from the fastest to the slowest in memory; NULL: 0, 1, 2 ... as in Fortran. {2, 1, 0} is the order of an
   * array of C with three dimensions. */
  const int* order XREDIST_ZERO;
  /* The rank in the communicator of each process of the grid, whose last axis is the fastest: first of copy 0, then of
   * copy 1, and so on. NULL: 0, 1, 2 ... */
  const int* ranks XREDIST_ZERO;
  /* The number of copies; 0: 1. A plan reads copy 0 of A, and writes the same elements to all copies of B. If no axis
   * is distributed and there are as many copies as processes, every process gets the whole array. */
  int64_t copies XREDIST_ZERO;
  int64_t reserved[2] XREDIST_ZERO; /* 0 */
} xredist_array_layout;

/* The operation of a plan: B(first_b ...) := beta B(first_b ...) + alpha A(first_a ...) for a subarray of the given
 * shape, with the types and the conversions of xredist_operation. */
typedef struct xredist_array_operation {
  const int64_t* shape XREDIST_ZERO; /* size of the subarray along each axis */
  /* The index of its first element along each axis, in A and in B; NULL: 1 on each axis. */
  const int64_t *first_a XREDIST_ZERO, *first_b XREDIST_ZERO;
  char type XREDIST_ZERO, type_b XREDIST_ZERO; /* as in xredist_operation */
  char conj XREDIST_ZERO;                      /* 'N' or 0; 'R': the conjugate */
  int64_t bytes XREDIST_ZERO;                  /* size of an element if type is 0: 1 to 65536 */
  const char* options XREDIST_ZERO;            /* as in xredist_operation */
  /* Lists in place of first_a and first_b, one for each axis, and NULL on axes without a list: element (i, j ...) of
   * the subarray is element (lists_a[0][i], lists_a[1][j] ...) of A. A list has shape[k] entries, at most 2^31 - 2,
   * which count from 1, and the first element of its axis is then 1 (or first_a is NULL). A list of A may have an entry
   * several times, a list of B may not. If a layout has no shape, its array ends with the greatest entry. The library
   * reads the lists only during the call. NULL: none. */
  const int64_t *const *lists_a XREDIST_ZERO, *const *lists_b XREDIST_ZERO;
  int64_t reserved[2] XREDIST_ZERO; /* 0 */
} xredist_array_operation;

/* Makes a plan, as xredist_plan_create does. a and b have the same number of axes, on grids of any shape. Local arrays
 * have no gaps, unless the job says so (strides_a and strides_b of xredist_job). A local array has the elements of the
 * whole array up to the end of the subarray or, if the layout has a shape, all of them. All processes of a grid pass
 * equal values. If the option "check" is not local, every call is collective over comm and compares the arguments of
 * all its processes. One that differs is an error on all processes: "b.axes[1].block differs between processes: from 2
 * to 3". The call has one outcome then, as that of xredist_plan_create. */
XREDIST_API int xredist_array_plan_create(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                          const xredist_array_operation* operation, xredist_plan** plan);

/* Sets local[k] to the number of elements that process `rank` holds along axis k of an array of the given shape, with
 * the gaps of `places`. All numbers are 0 if the process is outside the grids of all copies. Local. layout->shape is
 * ignored. */
XREDIST_API int xredist_array_local_shape(const xredist_array_layout* layout, const int64_t shape[], int rank,
                                          int64_t local[]);

/* Chooses the process for each position of B's grid, so that the most elements stay on the process that already holds
 * them (Kalns & Ni 1995, theorem 2 and equations 2 to 4, for any grids). Sets ranks[k] to the rank in comm of the
 * process for position k of B's grid, whose last axis is the fastest: the array has an entry for each position and may
 * become b->ranks. Elements of all copies count. The rules are those of xredist_relabel. */
XREDIST_API int xredist_array_relabel(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                      const xredist_array_operation* operation, int ranks[], double kept[2]);

/* Sets the axes of a layout to those of a pattern in the notation of High Performance Fortran, on a grid of the given
 * shape: "(BLOCK, CYCLIC(3), *)" on {2, 3, 1}. CYCLIC is CYCLIC(1), EVEN is XREDIST_EVEN, and * is an axis that is not
 * distributed, where the grid has 1 process. `dims`: the entries of `grid` and of `axes`. Local. */
XREDIST_API int xredist_axes(const char* pattern, int dims, const int grid[], xredist_axis axes[]);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
