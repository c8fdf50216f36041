/* SPDX-License-Identifier: BSD-3-Clause */
/* The public headers of C as abi.py has kept them. A program of the tests is built with them. */
#ifndef XREDIST_VERSION_H
#define XREDIST_VERSION_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#define XREDIST_VERSION_MAJOR 0
#define XREDIST_VERSION_MINOR 1
#define XREDIST_VERSION_PATCH 0
#define XREDIST_VERSION "0.1.0"
#ifdef __cplusplus
extern "C" {
#endif
XREDIST_API const char* xredist_version(void);
XREDIST_API const char* xredist_build(void);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_LOG_H
#define XREDIST_LOG_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
XREDIST_API int xredist_set_log(const char* place);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_H
#define XREDIST_H
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef enum xredist_code {
  XREDIST_SUCCESS = 0,
  XREDIST_NO_MEMORY = 1,
  XREDIST_BAD_OPTION = 2,
  XREDIST_DISAGREEMENT = 3,
  XREDIST_PEER_FAILED = 4,
  XREDIST_INVALID_ARGUMENT = 5,
  XREDIST_FILE_ERROR = 6
} xredist_code;
XREDIST_API const char* xredist_error(void);
typedef struct xredist_partition {
  int64_t count XREDIST_ZERO;
  const int64_t* bounds XREDIST_ZERO;
  const int* owners XREDIST_ZERO;
  const int64_t* places XREDIST_ZERO;
} xredist_partition;
typedef struct xredist_layout {
  int nprow XREDIST_ZERO, npcol XREDIST_ZERO;
  int64_t mb XREDIST_ZERO, nb XREDIST_ZERO;
  int rsrc XREDIST_ZERO, csrc XREDIST_ZERO;
  const int* ranks XREDIST_ZERO;
  const xredist_partition* rows XREDIST_ZERO;
  const xredist_partition* cols XREDIST_ZERO;
  int64_t reserved[5] XREDIST_ZERO;
} xredist_layout;
typedef struct xredist_operation {
  int64_t m XREDIST_ZERO, n XREDIST_ZERO;
  int64_t ia XREDIST_ZERO, ja XREDIST_ZERO;
  int64_t ib XREDIST_ZERO, jb XREDIST_ZERO;
  char type XREDIST_ZERO;
  char type_b XREDIST_ZERO;
  char trans XREDIST_ZERO;
  char uplo XREDIST_ZERO;
  char diag XREDIST_ZERO;
  char mirror XREDIST_ZERO;
  int64_t bytes XREDIST_ZERO;
  const char* options XREDIST_ZERO;
  const int64_t *rows_a XREDIST_ZERO, *cols_a XREDIST_ZERO;
  const int64_t *rows_b XREDIST_ZERO, *cols_b XREDIST_ZERO;
  int64_t reserved[3] XREDIST_ZERO;
} xredist_operation;
typedef struct xredist_plan xredist_plan;
XREDIST_API int xredist_plan_create(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                    const xredist_operation* operation, xredist_plan** plan);
XREDIST_API void xredist_plan_destroy(xredist_plan* plan);
typedef struct xredist_plan_info {
  int64_t bytes_sent, bytes_received;
  int64_t bytes_kept;
  int64_t buffer_bytes;
  int64_t rows_a, rows_b;
  int64_t steps, rounds;
  int64_t peak_bytes;
  int64_t reserved[7];
} xredist_plan_info;
XREDIST_API int xredist_plan_query(const xredist_plan* plan, xredist_plan_info* info);
XREDIST_API int xredist_plan_describe(const xredist_plan* plan, char* text, size_t size);
XREDIST_API int xredist_local_size(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t* rows,
                                   int64_t* cols);
XREDIST_API int xredist_local_to_global(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t rows[],
                                        int64_t cols[]);
XREDIST_API int xredist_global_to_local(const xredist_layout* layout, int64_t count, const int64_t rows[],
                                        const int64_t cols[], int ranks[], int64_t local_rows[], int64_t local_cols[]);
XREDIST_API int xredist_set_option(MPI_Comm comm, const char* name, const char* value);
XREDIST_API int xredist_get_option(MPI_Comm comm, const char* name, char* value, size_t size);
XREDIST_API int xredist_fail(int code, const char* sentence);
XREDIST_API int xredist_agree(MPI_Comm comm, int code);
XREDIST_API int xredist_wait_mpi(MPI_Request* request);
XREDIST_API void xredist_watch_enter(const char* routine, int64_t m, int64_t n);
XREDIST_API void xredist_watch_leave(void);
XREDIST_API void xredist_watch_wait(const char* text);
typedef struct xredist_job {
  const xredist_plan* plan XREDIST_ZERO;
  const void* a XREDIST_ZERO;
  int64_t lda XREDIST_ZERO;
  void* b XREDIST_ZERO;
  int64_t ldb XREDIST_ZERO;
  const void *alpha XREDIST_ZERO, *beta XREDIST_ZERO;
  const int64_t *strides_a XREDIST_ZERO, *strides_b XREDIST_ZERO;
  int64_t consume XREDIST_ZERO;
  int64_t reserved[2] XREDIST_ZERO;
} xredist_job;
XREDIST_API void* xredist_alloc(size_t bytes);
XREDIST_API void xredist_free(void* memory);
typedef struct xredist_pages xredist_pages;
XREDIST_API int xredist_pages_create(void* array, size_t bytes, xredist_pages** pages);
XREDIST_API void xredist_pages_give_up(xredist_pages* pages, void* part, size_t bytes);
XREDIST_API void xredist_pages_destroy(xredist_pages* pages);
XREDIST_API int xredist_execute(const xredist_job* job);
XREDIST_API int xredist_plan_tune(xredist_plan* plan, const xredist_job* job);
typedef struct xredist_request xredist_request;
XREDIST_API int xredist_start(int count, const xredist_job jobs[], xredist_request** request);
XREDIST_API int xredist_test(xredist_request** request, int* done);
XREDIST_API int xredist_wait(xredist_request** request);
XREDIST_API int xredist_test_member(xredist_request* request, int member, int* done);
XREDIST_API int xredist_wait_member(xredist_request* request, int member);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_ARRAY_H
#define XREDIST_ARRAY_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
enum { XREDIST_MAX_DIMS = 15 };
enum { XREDIST_EVEN = -1 };
typedef struct xredist_axis {
  int procs XREDIST_ZERO;
  int64_t block XREDIST_ZERO;
  int source XREDIST_ZERO;
  const xredist_partition* partition XREDIST_ZERO;
  int64_t reserved[1] XREDIST_ZERO;
} xredist_axis;
typedef struct xredist_array_layout {
  int dims XREDIST_ZERO;
  const xredist_axis* axes XREDIST_ZERO;
  const int64_t* shape XREDIST_ZERO;
  const int* order XREDIST_ZERO;
  const int* ranks XREDIST_ZERO;
  int64_t copies XREDIST_ZERO;
  int64_t reserved[2] XREDIST_ZERO;
} xredist_array_layout;
typedef struct xredist_array_operation {
  const int64_t* shape XREDIST_ZERO;
  const int64_t *first_a XREDIST_ZERO, *first_b XREDIST_ZERO;
  char type XREDIST_ZERO, type_b XREDIST_ZERO;
  char conj XREDIST_ZERO;
  int64_t bytes XREDIST_ZERO;
  const char* options XREDIST_ZERO;
  const int64_t *const *lists_a XREDIST_ZERO, *const *lists_b XREDIST_ZERO;
  int64_t reserved[2] XREDIST_ZERO;
} xredist_array_operation;
XREDIST_API int xredist_array_plan_create(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                          const xredist_array_operation* operation, xredist_plan** plan);
XREDIST_API int xredist_array_local_shape(const xredist_array_layout* layout, const int64_t shape[], int rank,
                                          int64_t local[]);
XREDIST_API int xredist_array_relabel(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                                      const xredist_array_operation* operation, int ranks[], double kept[2]);
XREDIST_API int xredist_axes(const char* pattern, int dims, const int grid[], xredist_axis axes[]);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_RELABEL_H
#define XREDIST_RELABEL_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
XREDIST_API int xredist_relabel(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b,
                                const xredist_operation* operation, int ranks[], double kept[2]);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_FIT_H
#define XREDIST_FIT_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef struct xredist_rules {
  int processes XREDIST_ZERO;
  int per_node XREDIST_ZERO;
  int multiple XREDIST_ZERO;
  int64_t share XREDIST_ZERO;
  int64_t block XREDIST_ZERO;
  int64_t min_block XREDIST_ZERO;
  int64_t max_block XREDIST_ZERO;
  int blocks XREDIST_ZERO;
  int flat XREDIST_ZERO;
  char grid XREDIST_ZERO;
  char power XREDIST_ZERO;
  int64_t columns XREDIST_ZERO;
  int64_t reserved[7] XREDIST_ZERO;
} xredist_rules;
XREDIST_API int xredist_rules_for(const char* solver, xredist_rules* rules);
XREDIST_API int xredist_fit(MPI_Comm comm, int64_t m, int64_t n, const xredist_layout* a, const xredist_rules* rules,
                            xredist_layout* b, int ranks[]);
XREDIST_API int xredist_tell(MPI_Comm comm, const xredist_layout* b, void* data, int64_t bytes);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_FILE_H
#define XREDIST_FILE_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef void (*xredist_progress)(int64_t done, int64_t all, void* context);
typedef struct xredist_file {
  const char* name XREDIST_ZERO;
  int64_t m XREDIST_ZERO, n XREDIST_ZERO;
  int64_t i XREDIST_ZERO, j XREDIST_ZERO;
  int64_t row XREDIST_ZERO, col XREDIST_ZERO;
  char type XREDIST_ZERO;
  int64_t bytes XREDIST_ZERO;
  char type_in_file XREDIST_ZERO;
  const char* descr XREDIST_ZERO;
  char format XREDIST_ZERO;
  char order XREDIST_ZERO;
  char update XREDIST_ZERO;
  int64_t rows XREDIST_ZERO, cols XREDIST_ZERO;
  int64_t offset XREDIST_ZERO;
  xredist_progress progress XREDIST_ZERO;
  void* progress_context XREDIST_ZERO;
  int64_t consume XREDIST_ZERO;
  int64_t reserved[5] XREDIST_ZERO;
} xredist_file;
XREDIST_API int xredist_write(MPI_Comm comm, const xredist_layout* layout, const void* a, int64_t lda,
                              const xredist_file* file);
XREDIST_API int xredist_read(MPI_Comm comm, const xredist_layout* layout, void* b, int64_t ldb,
                             const xredist_file* file);
typedef struct xredist_file_info {
  int64_t rows, cols;
  int64_t bytes;
  int64_t offset;
  char type;
  char order;
  char descr[64];
  int64_t reserved[4];
} xredist_file_info;
XREDIST_API int xredist_file_query(MPI_Comm comm, const char* name, xredist_file_info* info);
typedef struct xredist_array_file {
  const char* name XREDIST_ZERO;
  const int64_t* shape XREDIST_ZERO;
  const int64_t* first XREDIST_ZERO;
  const int64_t* first_in_file XREDIST_ZERO;
  const int64_t* shape_in_file XREDIST_ZERO;
  char type XREDIST_ZERO;
  int64_t bytes XREDIST_ZERO;
  char type_in_file XREDIST_ZERO;
  const char* descr XREDIST_ZERO;
  char format XREDIST_ZERO;
  char order XREDIST_ZERO;
  char update XREDIST_ZERO;
  int64_t offset XREDIST_ZERO;
  xredist_progress progress XREDIST_ZERO;
  void* progress_context XREDIST_ZERO;
  int64_t consume XREDIST_ZERO;
  int64_t reserved[5] XREDIST_ZERO;
} xredist_array_file;
XREDIST_API int xredist_array_write(MPI_Comm comm, const xredist_array_layout* layout, const void* a,
                                    const int64_t strides[], const xredist_array_file* file);
XREDIST_API int xredist_array_read(MPI_Comm comm, const xredist_array_layout* layout, void* b, const int64_t strides[],
                                   const xredist_array_file* file);
typedef struct xredist_array_file_info {
  int dims;
  int64_t shape[XREDIST_MAX_DIMS];
  int64_t bytes, offset;
  char type, order;
  char descr[64];
  int64_t reserved[4];
} xredist_array_file_info;
XREDIST_API int xredist_array_file_query(MPI_Comm comm, const char* name, xredist_array_file_info* info);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_BLACS_H
#define XREDIST_BLACS_H
#ifndef XREDIST_INTEGER_H
#define XREDIST_INTEGER_H
#ifdef XREDIST_ILP64
#include <stdint.h>
typedef int64_t xredist_int;
#else
typedef int xredist_int;
#endif
#endif
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef struct xredist_partitions {
  const xredist_partition *rows_a XREDIST_ZERO, *cols_a XREDIST_ZERO;
  const xredist_partition *rows_b XREDIST_ZERO, *cols_b XREDIST_ZERO;
  int64_t reserved[4] XREDIST_ZERO;
} xredist_partitions;
XREDIST_API int xredist_plan_create_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                                          const xredist_partitions* partitions, const xredist_operation* operation,
                                          xredist_plan** plan);
XREDIST_API int xredist_set_option_blacs(xredist_int ctxt, const char* name, const char* value);
XREDIST_API int xredist_comm_blacs(xredist_int ctxt, MPI_Comm* comm);
XREDIST_API int xredist_layout_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                                     xredist_layout* layout, int ranks[]);
XREDIST_API int xredist_write_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                                    const void* a, const xredist_file* file);
XREDIST_API int xredist_read_blacs(xredist_int ctxt, const xredist_int* desc, const xredist_partitions* partitions,
                                   void* b, const xredist_file* file);
XREDIST_API int xredist_fit_blacs(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                                  const xredist_partitions* partitions, const xredist_rules* rules, xredist_int* descb,
                                  xredist_int* rows, xredist_int* cols);
XREDIST_API int xredist_fit_free(xredist_int ctxt);
XREDIST_API int xredist_tell_blacs(xredist_int ctxt, const xredist_int* descb, void* data, int64_t bytes);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_GRIDMAP_H
#define XREDIST_GRIDMAP_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
XREDIST_API void xredist_gridmap_(const xredist_int* m, const xredist_int* n, const xredist_int* ia,
                                  const xredist_int* ja, const xredist_int* desca, const xredist_int* ib,
                                  const xredist_int* jb, const xredist_int* mb, const xredist_int* nb,
                                  const xredist_int* rsrc, const xredist_int* csrc, const xredist_int* nprow,
                                  const xredist_int* npcol, const xredist_int* ctxt, xredist_int* usermap,
                                  const xredist_int* ldumap, double* kept, xredist_int* info);
XREDIST_API int xredist_gridmap(xredist_int m, xredist_int n, xredist_int ia, xredist_int ja, const xredist_int* desca,
                                xredist_int ib, xredist_int jb, xredist_int mb, xredist_int nb, xredist_int rsrc,
                                xredist_int csrc, xredist_int nprow, xredist_int npcol, xredist_int ctxt,
                                xredist_int* usermap, xredist_int ldumap, double* kept);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_PBLAS_H
#define XREDIST_PBLAS_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef struct {
  const char* routine;
  int before_m;
  char type;
  char uplo, trans;
  xredist_int m, n;
  const void* alpha;
  const void* a;
  xredist_int ia, ja;
  const xredist_int* desca;
  const void* beta;
  void* c;
  xredist_int ic, jc;
  const xredist_int* descc;
  void (*abort)(int ctxt, const char* routine, int info);
} xredist_pblas_call;
XREDIST_API void xredist_pblas(const xredist_pblas_call* call);
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
#ifndef XREDIST_SCALAPACK_H
#define XREDIST_SCALAPACK_H
#if defined(__GNUC__)
#define XREDIST_API __attribute__((visibility("default")))
#else
#define XREDIST_API
#endif
#ifdef __cplusplus
#define XREDIST_ZERO \
  {}
#else
#define XREDIST_ZERO
#endif
#ifdef __cplusplus
extern "C" {
#endif
#define XREDIST_SCALAPACK_NAMES(P, CP, C, letter, type, suffix)                                                        \
  XREDIST_API void P##letter##gemr2d##suffix##_(                                                                       \
      const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia, const xredist_int* ja,         \
      const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb, const xredist_int* descb,       \
      const xredist_int* ctxt);                                                                                        \
  XREDIST_API void P##letter##gemr2do##suffix##_(                                                                      \
      const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia, const xredist_int* ja,         \
      const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb, const xredist_int* descb);      \
  XREDIST_API void P##letter##trmr2d##suffix##_(                                                                       \
      const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n, const type* a,                   \
      const xredist_int* ia, const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,          \
      const xredist_int* jb, const xredist_int* descb, const xredist_int* ctxt);                                       \
  XREDIST_API void P##letter##trmr2do##suffix##_(                                                                      \
      const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n, const type* a,                   \
      const xredist_int* ia, const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,          \
      const xredist_int* jb, const xredist_int* descb);                                                                \
  XREDIST_API void CP##letter##gemr2d##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia,             \
                                              xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,       \
                                              xredist_int jb, const xredist_int* descb, xredist_int ctxt);             \
  XREDIST_API void CP##letter##gemr2do##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia,            \
                                               xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,      \
                                               xredist_int jb, const xredist_int* descb);                              \
  XREDIST_API void CP##letter##trmr2d##suffix(                                                                         \
      const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja, \
      const xredist_int* desca, type* b, xredist_int ib, xredist_int jb, const xredist_int* descb, xredist_int ctxt);  \
  XREDIST_API void CP##letter##trmr2do##suffix(                                                                        \
      const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja, \
      const xredist_int* desca, type* b, xredist_int ib, xredist_int jb, const xredist_int* descb);                    \
                                                                                                                       \
  XREDIST_API void C##letter##gelacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,   \
                                              xredist_int ldb);                                                        \
  XREDIST_API void C##letter##trlacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,   \
                                              xredist_int ldb);
#define XREDIST_SCALAPACK_LETTERS(P, CP, C, suffix)         \
  XREDIST_SCALAPACK_NAMES(P, CP, C, i, xredist_int, suffix) \
  XREDIST_SCALAPACK_NAMES(P, CP, C, s, float, suffix)       \
  XREDIST_SCALAPACK_NAMES(P, CP, C, d, double, suffix)      \
  XREDIST_SCALAPACK_NAMES(P, CP, C, c, void, suffix)        \
  XREDIST_SCALAPACK_NAMES(P, CP, C, z, void, suffix)
XREDIST_SCALAPACK_LETTERS(p, Cp, C, )
XREDIST_SCALAPACK_LETTERS(xredist_p, xredist_Cp, xredist_C, )
#ifdef XREDIST_ILP64
XREDIST_SCALAPACK_LETTERS(p, Cp, C, _64)
XREDIST_SCALAPACK_LETTERS(xredist_p, xredist_Cp, xredist_C, _64)
#endif
#undef XREDIST_SCALAPACK_LETTERS
#undef XREDIST_SCALAPACK_NAMES
#ifdef __cplusplus
}
#endif
#undef XREDIST_API
#undef XREDIST_ZERO
#endif
