/* SPDX-License-Identifier: BSD-3-Clause */
/* Four uses of lists of rows and columns: columns in the order of their eigenvalues, every third row, rows that a
 * factorisation has exchanged, and Fourier vectors of a sphere in the slabs of a grid. The program checks all elements,
 * and returns 1 if one of them is wrong.
 *
 *   mpicc lists.c -lxredist && mpirun -n 4 ./a.out */
#include <stdio.h>
#include <stdlib.h>
#include <xredist/xredist.h>

enum { n = 60 };

static void demand(int error) {
  if (error == 0) return;
  fprintf(stderr, "%s\n", xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void* memory(int64_t count, size_t size) {
  void* const made = calloc((size_t)(count > 0 ? count : 1), size);
  if (made == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return made;
}

/* A distributed matrix: the part of this process, with the rows and columns, counted from 1, that it holds. */
struct matrix {
  xredist_layout layout;
  int64_t rows, cols, *row, *col;
  double* part;
};

/* Returns an m x k matrix of zeros. */
static struct matrix zeros(xredist_layout layout, int64_t m, int64_t k) {
  struct matrix x = {.layout = layout};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  demand(xredist_local_size(&layout, m, k, rank, &x.rows, &x.cols));
  x.row = memory(x.rows, sizeof *x.row), x.col = memory(x.cols, sizeof *x.col);
  x.part = memory(x.rows * x.cols, sizeof *x.part);
  demand(xredist_local_to_global(&layout, m, k, rank, x.row, x.col));
  return x;
}

static double element(int64_t i, int64_t j) { return (double)(i + 10000 * j); }

/* Returns an m x k matrix with element(i, j) in row i and column j. */
static struct matrix numbered(xredist_layout layout, int64_t m, int64_t k) {
  struct matrix x = zeros(layout, m, k);
  for (int64_t j = 0; j < x.cols; ++j)
    for (int64_t i = 0; i < x.rows; ++i) x.part[i + j * x.rows] = element(x.row[i], x.col[j]);
  return x;
}

/* Executes a plan once. A list may leave out the last local row, so the job has the leading dimensions. */
static void move(const struct matrix* a, const struct matrix* b, xredist_operation operation) {
  xredist_plan* plan;
  operation.type = 'D';
  demand(xredist_plan_create(MPI_COMM_WORLD, &a->layout, &b->layout, &operation, &plan));
  const int64_t lda = a->rows > 0 ? a->rows : 1, ldb = b->rows > 0 ? b->rows : 1;
  demand(xredist_execute(&(xredist_job){.plan = plan, .a = a->part, .lda = lda, .b = b->part, .ldb = ldb}));
  xredist_plan_destroy(plan);
}

/* Counts the elements that are not element(rows[i], cols[j]), or 0 where a list has 0. NULL stands for 1, 2, 3 ... */
static long wrong(struct matrix* x, const int64_t rows[], const int64_t cols[]) {
  long count = 0;
  for (int64_t j = 0; j < x->cols; ++j)
    for (int64_t i = 0; i < x->rows; ++i) {
      const int64_t row = rows != NULL ? rows[x->row[i] - 1] : x->row[i];
      const int64_t col = cols != NULL ? cols[x->col[j] - 1] : x->col[j];
      count += x->part[i + j * x->rows] != (row > 0 && col > 0 ? element(row, col) : 0);
    }
  free(x->row), free(x->col), free(x->part);
  return count;
}

/* Columns in the order of their eigenvalues. */
static long sort(xredist_layout a, xredist_layout b, const double eigenvalues[n]) {
  int64_t order[n]; /* the column that has the k-th least eigenvalue */
  for (int64_t j = 0; j < n; ++j) {
    int64_t less = 0;
    for (int64_t other = 0; other < n; ++other) less += eigenvalues[other] < eigenvalues[j];
    order[less] = j + 1;
  }
  struct matrix vectors = numbered(a, n, n), sorted = zeros(b, n, n);
  move(&vectors, &sorted, (xredist_operation){.m = n, .n = n, .cols_a = order});
  return wrong(&vectors, NULL, NULL) + wrong(&sorted, NULL, order);
}

/* Every third row. */
static long thin_out(xredist_layout a, xredist_layout b) {
  int64_t third[n / 3];
  for (int64_t k = 0; k < n / 3; ++k) third[k] = 3 * k + 1;
  struct matrix all = numbered(a, n, n), some = zeros(b, n / 3, n);
  move(&all, &some, (xredist_operation){.m = n / 3, .n = n, .rows_a = third});
  return wrong(&all, NULL, NULL) + wrong(&some, third, NULL);
}

/* Rows back where they were before LU exchanged row k with row pivots[k], one k after the other. */
static long undo_pivoting(xredist_layout a, xredist_layout b, const int64_t pivots[n]) {
  int64_t from[n]; /* the row that has come to row k */
  for (int64_t k = 0; k < n; ++k) from[k] = k + 1;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t row = from[k];
    from[k] = from[pivots[k] - 1], from[pivots[k] - 1] = row;
  }
  struct matrix pivoted = numbered(a, n, n), back = zeros(b, n, n);
  move(&pivoted, &back, (xredist_operation){.m = n, .n = n, .rows_b = from});
  int64_t came_from[n];
  for (int64_t k = 0; k < n; ++k) came_from[from[k] - 1] = k + 1;
  return wrong(&pivoted, NULL, NULL) + wrong(&back, came_from, NULL);
}

/* Fourier coefficients of bands: vectors in a sphere, dealt to the processes, become slabs of a grid of side^3. */
enum { side = 12, radius = 4, bands = 3, points = side * side * side };
static long fill_slabs(int processes) {
  int64_t *const point = memory(points, sizeof *point), *const vector = memory(points, sizeof *vector), count = 0;
  for (int z = -radius; z <= radius; ++z)
    for (int y = -radius; y <= radius; ++y)
      for (int x = -radius; x <= radius; ++x) {
        if (x * x + y * y + z * z > radius * radius) continue;
        const int64_t at = (x + side) % side + side * ((y + side) % side + side * ((z + side) % side));
        vector[at] = count + 1; /* 0 outside the sphere */
        point[count++] = at + 1;
      }
  const int64_t planes = (side + processes - 1) / processes; /* of a slab */
  const xredist_layout dealt = {.nprow = processes, .npcol = 1, .mb = 4, .nb = bands};
  const xredist_layout slabs = {.nprow = processes, .npcol = 1, .mb = planes * side * side, .nb = bands};
  struct matrix sphere = numbered(dealt, count, bands), grid = zeros(slabs, points, bands);
  move(&sphere, &grid, (xredist_operation){.m = count, .n = bands, .rows_b = point});
  const long errors = wrong(&sphere, NULL, NULL) + wrong(&grid, vector, NULL);
  free(point), free(vector);
  return errors;
}

int main(int argc, char** argv) {
  int processes, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double eigenvalues[n];
  int64_t pivots[n];
  for (int k = 0; k < n; ++k) {
    eigenvalues[k] = (37 * k) % 61; /* 61 is a prime: no two are equal */
    pivots[k] = k + (17 * k) % (n - k) + 1;
  }
  const xredist_layout columns = {.nprow = 1, .npcol = processes, .mb = n, .nb = 4};
  const xredist_layout rows = {.nprow = processes, .npcol = 1, .mb = 3, .nb = n};
  long errors[4] = {sort(columns, rows, eigenvalues), thin_out(rows, columns), undo_pivoting(columns, rows, pivots),
                    fill_slabs(processes)};
  MPI_Allreduce(MPI_IN_PLACE, errors, 4, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  const int right = errors[0] + errors[1] + errors[2] + errors[3] == 0;
  if (rank == 0) printf("lists on %d processes: %s\n", processes, right ? "right" : "wrong");
  MPI_Finalize();
  return !right;
}
