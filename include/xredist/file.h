/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed matrices and arrays in files: a program writes a matrix on one layout and reads it on any other, on any
 * number of processes.
 *
 *   const xredist_file file = {.name = "a.npy", .m = m, .n = n, .type = 'D'};
 *   xredist_write(comm, &layout, local_a, 0, &file);
 *
 * An array of 1 to 15 axes (array.h) has functions of its own:
 *
 *   const xredist_axis axes[] = {{0}, {.procs = 2}, {.procs = 2}};
 *   const xredist_array_layout pencils = {.dims = 3, .axes = axes};
 *   const int64_t shape[] = {nx, ny, nz};
 *   xredist_array_write(comm, &pencils, local_a, NULL,
 *                       &(xredist_array_file){.name = "u.npy", .shape = shape, .type = 'D'});
 *
 * Files are NumPy's (numpy.load reads them) or raw. All functions are collective over the communicator, and all
 * processes pass equal arguments, except for local arrays and their leading dimensions or strides. All return the same
 * code, and xredist_error() returns the same sentence on all.
 *
 * Memory: the matrix moves in panels of columns (an array: of indices of its slowest axes in the file), for which no
 * process needs more memory than the option "buffer" (16 MB). At most 64 processes write (read). Each has contiguous
 * extents of at least 4 MB, or of half of "buffer" if that is less. Extents begin near multiples of the file system's
 * block size, if these blocks have 64 KB at least (as stripes have); of several long columns that are written at once,
 * those of the first one do. The function returns when all data have been passed to the file system, which may not yet
 * have stored them. Exchanges of the program that are under way make no progress while a process waits for the file
 * system. */
#ifndef XREDIST_FILE_H
#define XREDIST_FILE_H

#include "xredist/array.h"

/* last, because end.h removes its macros */
#include "xredist/begin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tells the progress of a call of xredist_write or xredist_read: `done` of `all` bytes of the submatrix have been
 * passed to the file system, or read. */
typedef void (*xredist_progress)(int64_t done, int64_t all, void* context);

/* An m x n submatrix of a distributed matrix, and its place in a file. Rows and columns count from 1; members that are
 * 0 have the default. */
typedef struct xredist_file {
  const char* name XREDIST_ZERO;              /* path of the file, equal on all processes; of any length that open()
                                                 takes */
  int64_t m XREDIST_ZERO, n XREDIST_ZERO;     /* size of the submatrix, 0 to 2^40; m n < 2^59 */
  int64_t i XREDIST_ZERO, j XREDIST_ZERO;     /* its first row and column in the distributed matrix */
  int64_t row XREDIST_ZERO, col XREDIST_ZERO; /* its first row and column in the matrix of the file */
  char type XREDIST_ZERO; /* type of the elements in memory: 'I' (int32_t), 'S', 'D', 'C', 'Z'; 0: any type of `bytes`
                             bytes */
  int64_t bytes XREDIST_ZERO;     /* size of an element if type is 0, as in xredist_operation */
  char type_in_file XREDIST_ZERO; /* default: that of NumPy's header, or `type` for a new or a raw file. Elements are
                                     converted as plans do (xredist_operation, type_b). */
  const char* descr XREDIST_ZERO; /* only if type is 0: NumPy's description of the elements, as "<i8". A new file gets
                                     it (NULL: "|V8"); another file must have it (NULL: any of the same size). */
  char format XREDIST_ZERO;       /* 'N' or 0: NumPy's (.npy); 'R': raw, without a header */
  char order XREDIST_ZERO;  /* of a new or raw file: 'F' or 0: columns are contiguous, 'C': rows are. NumPy's header
                               tells the order of other files. */
  char update XREDIST_ZERO; /* of xredist_write, 'N' or 0: a new file takes the place of an old one; 'Y': the file
                               exists, and only the submatrix is overwritten */
  int64_t rows XREDIST_ZERO, cols XREDIST_ZERO; /* size of the matrix in a new or raw file; by default it ends with the
                                                   submatrix. The other elements of a new file are 0. */
  int64_t offset XREDIST_ZERO;                  /* of a raw file: bytes before the first element of the matrix */
  xredist_progress progress XREDIST_ZERO; /* NULL, or a function that this process calls after each panel, at the latest
                                             when all has moved. Each process may pass another one. The function must
                                             return, and may not call this library. */
  void* progress_context XREDIST_ZERO;    /* the last argument of `progress` */
  int64_t consume XREDIST_ZERO;     /* of xredist_write, 0 or 1. 1: the submatrix of A is undefined after the call, and
                                       its memory goes back to the system, panel by panel. */
  int64_t reserved[5] XREDIST_ZERO; /* 0 */
} xredist_file;

/* Writes a submatrix of A. a is the local part of the whole matrix in the layout, and lda its leading dimension in
 * elements (0: the number of local rows up to the end of the submatrix). On a process without a part of the submatrix,
 * both are ignored, and a may be NULL.
 *
 * A new file is written under another name in the same folder (NAME.<number>.tmp, with the first 100 bytes of NAME),
 * and gets its name when all processes have written their parts. After an error, or if a process is killed, the old
 * file is as it was; only a killed program leaves the other file. If NAME is a symbolic link, the new file takes the
 * place of the link. It has the mode, the owner and the group of the old file, as far as the system permits, but no
 * list of access or other attributes; without an old file, it has the mode of a file that open() creates. A file that
 * the user may not write is not replaced.
 *
 * With consume = 1, the pages of a panel go back when the panel has left this process, before it is written: whole
 * pages whose bytes all belong to elements that have left. Other bytes keep their values, and memory that cannot go
 * back stays, as for xredist_job. After an error that occurs once the file has been opened, A is undefined, too, and a
 * new file does not exist: do not consume the only copy of data that you need.
 *
 * With update 'Y', an error that occurs once the file has been opened leaves the submatrix in the file undefined, and
 * the remainder as it was. A raw file becomes longer if the matrix ends beyond its end. */
XREDIST_API int xredist_write(MPI_Comm comm, const xredist_layout* layout, const void* a, int64_t lda,
                              const xredist_file* file);

/* Reads a submatrix of B. Arguments as for xredist_write. Before the first element moves, the function checks that the
 * file has the submatrix and a type that can be converted: after such an error (XREDIST_INVALID_ARGUMENT, or
 * XREDIST_FILE_ERROR for a file that cannot be opened or is too short), B is unchanged. After an error that occurs
 * later, the submatrix of B is undefined. */
XREDIST_API int xredist_read(MPI_Comm comm, const xredist_layout* layout, void* b, int64_t ldb,
                             const xredist_file* file);

/* The matrix in a file of NumPy. An array with one dimension is a matrix of one column. */
typedef struct xredist_file_info {
  int64_t rows, cols;  /* size of the matrix */
  int64_t bytes;       /* size of an element */
  int64_t offset;      /* bytes before the first element */
  char type;           /* 'I' (int32_t), 'S', 'D', 'C', 'Z'; 0: another type */
  char order;          /* 'F' or 'C' */
  char descr[64];      /* NumPy's description of the elements, cut off after 63 characters */
  int64_t reserved[4]; /* for later versions */
} xredist_file_info;

/* Sets *info on all processes. Rank 0 reads the header. */
XREDIST_API int xredist_file_query(MPI_Comm comm, const char* name, xredist_file_info* info);

/* A subarray of a distributed array, and its place in a file. Lists have an entry for each axis. Elements count from 1
 * along each axis; members that are 0 have the default, as in xredist_file. */
typedef struct xredist_array_file {
  const char* name XREDIST_ZERO;             /* path of the file */
  const int64_t* shape XREDIST_ZERO;         /* size of the subarray along each axis */
  const int64_t* first XREDIST_ZERO;         /* index of its first element in the distributed array; NULL: 1 */
  const int64_t* first_in_file XREDIST_ZERO; /* index of its first element in the array of the file; NULL: 1 */
  const int64_t* shape_in_file XREDIST_ZERO; /* of the array in a new or raw file; NULL: it ends with the subarray */
  /* The next members are those of xredist_file. */
  char type XREDIST_ZERO;
  int64_t bytes XREDIST_ZERO;
  char type_in_file XREDIST_ZERO;
  const char* descr XREDIST_ZERO;
  char format XREDIST_ZERO;
  char order XREDIST_ZERO; /* of a new or raw file: 'F' or 0: axis 0 is contiguous in the file; 'C': the last axis */
  char update XREDIST_ZERO;
  int64_t offset XREDIST_ZERO;
  xredist_progress progress XREDIST_ZERO;
  void* progress_context XREDIST_ZERO;
  int64_t consume XREDIST_ZERO;
  int64_t reserved[5] XREDIST_ZERO; /* 0 */
} xredist_array_file;

/* Writes a subarray of A, as xredist_write writes a submatrix. The axes of the file are those of the layout. `a` is the
 * local part of the whole array. Along axis k, neighbours are strides[k] elements apart, as strides_a of xredist_job
 * says; NULL: the local array has no gaps. It then has the elements up to the end of the subarray or, if the layout has
 * a shape, those of the whole array, in the order of the layout. On a process without a part of the subarray, `a` and
 * `strides` are ignored. Sentences about errors name the axis: "first_in_file[2] is 0, must be at least 1". */
XREDIST_API int xredist_array_write(MPI_Comm comm, const xredist_array_layout* layout, const void* a,
                                    const int64_t strides[], const xredist_array_file* file);

/* Reads a subarray of B, as xredist_read reads a submatrix. The array in the file has as many axes as the layout; one
 * without dimensions has one axis of one element. No two elements of the subarray share memory. */
XREDIST_API int xredist_array_read(MPI_Comm comm, const xredist_array_layout* layout, void* b, const int64_t strides[],
                                   const xredist_array_file* file);

/* The array in a file of NumPy. */
typedef struct xredist_array_file_info {
  int dims;                        /* number of axes: 0 to XREDIST_MAX_DIMS */
  int64_t shape[XREDIST_MAX_DIMS]; /* size along each axis; 0 beyond the last one */
  int64_t bytes, offset;           /* these members are those of xredist_file_info */
  char type, order;
  char descr[64];
  int64_t reserved[4]; /* for later versions */
} xredist_array_file_info;

/* Sets *info on all processes. Rank 0 reads the header. */
XREDIST_API int xredist_array_file_query(MPI_Comm comm, const char* name, xredist_array_file_info* info);

#ifdef __cplusplus
}
#endif

#include "xredist/end.h"

#endif
