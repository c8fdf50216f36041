/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that was built with kept headers, and runs with today's libraries. Each struct lies before bytes that are
 * not 0: a library that reads beyond a struct finds reserved words that are not 0, and one that writes beyond changes
 * them. Two processes; the argument is the name of a file without its ending. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kept.h"

void Cblacs_get(int ctxt, int what, int* value);
void Cblacs_gridinit(int* ctxt, const char* order, int nprow, int npcol);
void Cblacs_gridexit(int ctxt);

enum { M = 12, N = 10, FENCE = 64 };
static int me;

static void check(int right, const char* text, int line) {
  if (right) return;
  fprintf(stderr, "process %d, line %d: %s: %s\n", me, line, text, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define CHECK(condition) check(condition, #condition, __LINE__)
#define CALL(call) CHECK((call) == XREDIST_SUCCESS)

/* Declares a pointer to a struct with these members, before a fence. */
#define FENCED(type, name, ...)                       \
  struct {                                            \
    type it;                                          \
    unsigned char fence[FENCE];                       \
  } fenced_##name;                                    \
  type* const name = &fenced_##name.it;               \
  memset(&fenced_##name, 0xA5, sizeof fenced_##name); \
  *name = (type) { __VA_ARGS__ }

static void intact(const unsigned char fence[FENCE], int line) {
  for (int k = 0; k < FENCE; ++k) check(fence[k] == 0xA5, "the library writes beyond a struct", line);
}
#define INTACT(name) intact(fenced_##name.fence, __LINE__)

static const int64_t bounds[] = {0, 5, 9, M};
static const int owners[] = {0, 1, 0};

/* Fills the local part of the matrix (i + 100 j), or checks that its elements are `factor` times these. */
static void each(const xredist_layout* layout, double* local, double factor) {
  int64_t rows, cols, of_row[M], of_col[N];
  CALL(xredist_local_size(layout, M, N, me, &rows, &cols));
  CALL(xredist_local_to_global(layout, M, N, me, of_row, of_col));
  CHECK(rows * cols > 0);
  for (int64_t j = 0; j < cols; ++j)
    for (int64_t i = 0; i < rows; ++i) {
      const double value = (double)(of_row[i] + 100 * of_col[j]);
      if (factor == 0)
        local[i + rows * j] = value;
      else
        CHECK(local[i + rows * j] == factor * value);
    }
}

static void plans_and_files(const char* name) {
  double a[M * N], b[M * N];
  const double three = 3, zero = 0;
  FENCED(xredist_partition, slabs, .count = 3, .bounds = bounds, .owners = owners);
  FENCED(xredist_layout, before, .nprow = 2, .npcol = 1, .mb = 1, .nb = N, .rows = slabs);
  FENCED(xredist_layout, after, .nprow = 1, .npcol = 2, .mb = M, .nb = 3);
  FENCED(xredist_operation, copy, .m = M, .n = N, .type = 'D');
  FENCED(xredist_plan_info, info, 0);
  xredist_plan* plan;
  CALL(xredist_plan_create(MPI_COMM_WORLD, before, after, copy, &plan));
  CALL(xredist_plan_query(plan, info));
  INTACT(info);
  CHECK(info->bytes_sent > 0 && info->steps > 0);

  FENCED(xredist_job, job, .plan = plan, .a = a, .b = b, .alpha = &three, .beta = &zero);
  xredist_request* request;
  each(before, a, 0);
  memset(b, 0, sizeof b);
  CALL(xredist_start(1, job, &request));
  CALL(xredist_wait(&request));
  each(after, b, 3);
  xredist_plan_destroy(plan);

  FENCED(xredist_file, file, .name = name, .m = M, .n = N, .type = 'D');
  FENCED(xredist_file_info, found, 0);
  memset(b, 0, sizeof b);
  CALL(xredist_write(MPI_COMM_WORLD, before, a, 0, file));
  CALL(xredist_file_query(MPI_COMM_WORLD, name, found));
  INTACT(found);
  CHECK(found->rows == M && found->cols == N && found->type == 'D' && strcmp(found->descr, "<f8") == 0);
  CALL(xredist_read(MPI_COMM_WORLD, after, b, 0, file));
  each(after, b, 1);

  int ranks[2];
  FENCED(xredist_rules, rules, 0);
  FENCED(xredist_layout, fitted, 0);
  CALL(xredist_rules_for("scalapack", rules));
  INTACT(rules);
  CALL(xredist_fit(MPI_COMM_WORLD, M, N, before, rules, fitted, ranks));
  INTACT(fitted);
  CHECK(fitted->nprow >= 1 && fitted->npcol >= 1 && fitted->ranks == ranks);
}

/* Pencils of an array of 4 x 4 x 2: whole along x, then along y. */
static void arrays(const char* name) {
  const xredist_axis on_x[] = {{0}, {.procs = 2}, {0}}, on_y[] = {{.procs = 2}, {0}, {0}};
  const int64_t shape[] = {4, 4, 2};
  double a[16], b[16];
  FENCED(xredist_array_layout, before, .dims = 3, .axes = on_x);
  FENCED(xredist_array_layout, after, .dims = 3, .axes = on_y);
  FENCED(xredist_array_operation, copy, .shape = shape, .type = 'D');
  FENCED(xredist_array_file, file, .name = name, .shape = shape, .type = 'D');
  FENCED(xredist_array_file_info, found, 0);
  xredist_plan* plan;
  for (int k = 0; k < 16; ++k) a[k] = k % 4 + 4 * (k / 4 % 2 + 2 * me) + 16 * (k / 8); /* x + 4 y + 16 z */
  CALL(xredist_array_plan_create(MPI_COMM_WORLD, before, after, copy, &plan));
  CALL(xredist_array_write(MPI_COMM_WORLD, before, a, NULL, file));
  CALL(xredist_array_file_query(MPI_COMM_WORLD, name, found));
  INTACT(found);
  CHECK(found->dims == 3 && found->shape[0] == 4 && found->shape[2] == 2 && found->shape[3] == 0);
  for (int from_file = 0; from_file < 2; ++from_file) {
    FENCED(xredist_job, job, .plan = plan, .a = a, .b = b);
    memset(b, 0, sizeof b);
    if (from_file)
      CALL(xredist_array_read(MPI_COMM_WORLD, after, b, NULL, file));
    else
      CALL(xredist_execute(job));
    for (int k = 0; k < 16; ++k) CHECK(b[k] == k % 2 + 2 * me + 4 * (k / 2 % 4) + 16 * (k / 8));
  }
  xredist_plan_destroy(plan);
}

/* Slabs of a partition to columns by a plan, and between columns by ScaLAPACK's routine. */
static void descriptors(void) {
  double a[M * N], b[M * N], c[M * N];
  int all, tall, wide;
  Cblacs_get(-1, 0, &all);
  tall = wide = all;
  Cblacs_gridinit(&all, "R", 1, 2);
  Cblacs_gridinit(&tall, "R", 2, 1);
  Cblacs_gridinit(&wide, "R", 1, 2);
  const int one = 1, m = M, n = N;
  const int desca[] = {1, tall, M, N, 1, N, 0, 0, me == 0 ? 8 : 4};
  const int descb[] = {1, wide, M, N, M, 3, 0, 0, M}, descc[] = {1, wide, M, N, M, 1, 0, 0, M};
  FENCED(xredist_partition, slabs, .count = 3, .bounds = bounds, .owners = owners);
  FENCED(xredist_partitions, partitions, .rows_a = slabs);
  FENCED(xredist_operation, copy, .m = M, .n = N, .type = 'D');
  xredist_plan* plan;
  CALL(xredist_plan_create_blacs(all, desca, descb, partitions, copy, &plan));
  each(&(xredist_layout){.nprow = 2, .npcol = 1, .mb = 1, .nb = N, .rows = slabs}, a, 0);
  FENCED(xredist_job, job, .plan = plan, .a = a, .b = b);
  CALL(xredist_execute(job));
  each(&(xredist_layout){.nprow = 1, .npcol = 2, .mb = M, .nb = 3}, b, 1);
  pdgemr2d_(&m, &n, b, &one, &one, descb, c, &one, &one, descc, &all);
  each(&(xredist_layout){.nprow = 1, .npcol = 2, .mb = M, .nb = 1}, c, 1);
  xredist_plan_destroy(plan);
  Cblacs_gridexit(wide), Cblacs_gridexit(tall), Cblacs_gridexit(all);
}

int main(int argc, char** argv) {
  char matrix[4096], array[4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  CHECK(argc == 2);
  snprintf(matrix, sizeof matrix, "%s_matrix.npy", argv[1]);
  snprintf(array, sizeof array, "%s_array.npy", argv[1]);
  plans_and_files(matrix);
  arrays(array);
  descriptors();
  if (me == 0) printf("right: headers of %s, library %s\n", XREDIST_VERSION, xredist_version());
  MPI_Finalize();
  return 0;
}
