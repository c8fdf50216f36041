/* SPDX-License-Identifier: BSD-3-Clause */
/* A Fourier transform in three dimensions on P1 x P2 processes. Each process transforms its pencils along x, then along
 * y, then along z with FFTW, and two plans move the array in between. In each array, the axis that is transformed is
 * the fastest one in memory. The field is a sum of two waves, so all but two coefficients are 0. The program checks all
 * coefficients, and returns 1 if one of them is wrong.
 *
 *   mpicc pencils.c -lxredist -lfftw3 -lm && mpirun -n 4 ./a.out 64 48 36 */
#include <complex.h> /* before fftw3.h, whose numbers are then those of C */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xredist/array.h>

enum { waves = 2 };
static const int wave[waves][3] = {{1, 2, 3}, {5, 0, 4}};
static const double amplitude[waves] = {1, 3};

static void demand(int error, const char* what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %s\n", what, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The elements of this process: element (i, j, k) of its part is at i * stride[0] + j * stride[1] + k * stride[2], and
 * is element first[0] + i, first[1] + j, first[2] + k of the whole array. All indices count from 0. */
struct part {
  int64_t count[3], first[3], stride[3];
  double _Complex* data;
};

/* BLOCK has blocks of ceil(n / procs) elements. The last axis is the fastest one in the ranks. */
static struct part part_of(const xredist_array_layout* layout, const int64_t n[3], int rank) {
  struct part part;
  demand(xredist_array_local_shape(layout, n, rank, part.count), "xredist_array_local_shape");
  for (int axis = 2; axis >= 0; --axis) {
    const int procs = layout->axes[axis].procs;
    part.first[axis] = rank % procs * ((n[axis] + procs - 1) / procs);
    rank /= procs;
  }
  int64_t size = 1;
  for (int k = 0; k < 3; ++k) {
    const int axis = layout->order[k];
    part.stride[axis] = size;
    size *= part.count[axis];
  }
  part.data = fftw_malloc((size_t)(size > 0 ? size : 1) * sizeof *part.data);
  if (part.data == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  return part;
}

static double _Complex field(const int64_t n[3], int64_t x, int64_t y, int64_t z) {
  double _Complex sum = 0;
  for (int w = 0; w < waves; ++w) {
    const double turns = (double)(wave[w][0] * x) / (double)n[0] + (double)(wave[w][1] * y) / (double)n[1] +
                         (double)(wave[w][2] * z) / (double)n[2];
    sum += amplitude[w] * cexp(2 * acos(-1) * turns * I);
  }
  return sum;
}

/* Waves that differ by the size of the array are equal. */
static double coefficient(const int64_t n[3], int64_t x, int64_t y, int64_t z) {
  double sum = 0;
  for (int w = 0; w < waves; ++w)
    if ((wave[w][0] - x) % n[0] == 0 && (wave[w][1] - y) % n[1] == 0 && (wave[w][2] - z) % n[2] == 0)
      sum += amplitude[w];
  return sum * (double)(n[0] * n[1] * n[2]);
}

/* Calls work(element, n, x, y, z) for all elements of a part. */
static void for_elements(const struct part* part, const int64_t n[3],
                         void (*work)(double _Complex*, const int64_t[3], int64_t, int64_t, int64_t)) {
  for (int64_t k = 0; k < part->count[2]; ++k)
    for (int64_t j = 0; j < part->count[1]; ++j)
      for (int64_t i = 0; i < part->count[0]; ++i)
        work(&part->data[i * part->stride[0] + j * part->stride[1] + k * part->stride[2]], n, part->first[0] + i,
             part->first[1] + j, part->first[2] + k);
}

static void set(double _Complex* element, const int64_t n[3], int64_t x, int64_t y, int64_t z) {
  *element = field(n, x, y, z);
}

static int64_t wrong;

static void check(double _Complex* element, const int64_t n[3], int64_t x, int64_t y, int64_t z) {
  const double error = cabs(*element - coefficient(n, x, y, z));
  if (!(error < 1e-9 * (double)(n[0] * n[1] * n[2]))) ++wrong; /* also if it is not a number */
}

/* Transforms a part along the axis that is whole and fastest in memory. */
static void transform(const struct part* part, int axis) {
  const int length = (int)part->count[axis];
  const int rows = (int)(part->count[(axis + 1) % 3] * part->count[(axis + 2) % 3]);
  if (length == 0 || rows == 0) return;
  fftw_plan plan = fftw_plan_many_dft(1, &length, rows, part->data, NULL, 1, length, part->data, NULL, 1, length,
                                      FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
}

/* Moves the array between two layouts. A program that transforms many arrays keeps the plan. */
static void move(const xredist_array_layout* a, const struct part* from, const xredist_array_layout* b,
                 const struct part* to, const int64_t n[3]) {
  xredist_plan* plan;
  demand(xredist_array_plan_create(MPI_COMM_WORLD, a, b, &(xredist_array_operation){.shape = n, .type = 'Z'}, &plan),
         "xredist_array_plan_create");
  demand(xredist_execute(&(xredist_job){.plan = plan, .a = from->data, .b = to->data}), "xredist_execute");
  xredist_plan_destroy(plan);
}

int main(int argc, char** argv) {
  int rank, size, p[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, p);
  int64_t n[3] = {24, 18, 20};
  for (int k = 0; k < 3 && argc > 3; ++k) n[k] = atoll(argv[k + 1]);

  /* Axes are x, y, z. A layout has the process grid, and the axes from the fastest to the slowest in memory. */
  xredist_axis x_axes[3], y_axes[3], z_axes[3];
  demand(xredist_axes("(*, BLOCK, BLOCK)", 3, (int[]){1, p[0], p[1]}, x_axes), "xredist_axes");
  demand(xredist_axes("(BLOCK, *, BLOCK)", 3, (int[]){p[0], 1, p[1]}, y_axes), "xredist_axes");
  demand(xredist_axes("(BLOCK, BLOCK, *)", 3, (int[]){p[0], p[1], 1}, z_axes), "xredist_axes");
  const xredist_array_layout along_x = {.dims = 3, .axes = x_axes, .order = (int[]){0, 1, 2}},
                             along_y = {.dims = 3, .axes = y_axes, .order = (int[]){1, 0, 2}},
                             along_z = {.dims = 3, .axes = z_axes, .order = (int[]){2, 0, 1}};
  const struct part x = part_of(&along_x, n, rank), y = part_of(&along_y, n, rank), z = part_of(&along_z, n, rank);

  for_elements(&x, n, set);
  transform(&x, 0);
  move(&along_x, &x, &along_y, &y, n);
  transform(&y, 1);
  move(&along_y, &y, &along_z, &z, n);
  transform(&z, 2);

  for_elements(&z, n, check);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("transform of %d x %d x %d on %d x %d processes: %s\n", (int)n[0], (int)n[1], (int)n[2], p[0], p[1],
           wrong == 0 ? "right" : "wrong");
  fftw_free(x.data);
  fftw_free(y.data);
  fftw_free(z.data);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
