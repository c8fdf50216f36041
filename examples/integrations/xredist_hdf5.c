/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a block-cyclic matrix to a dataset of HDF5 and reads the dataset back. HDF5 writes fastest what is contiguous,
 * so the matrix first moves to slabs of columns, a partition with one interval for each process. The dataset has the
 * dimensions columns x rows, because HDF5 stores the last dimension contiguously.
 *
 *   h5pcc xredist_hdf5.c -lxredist && mpirun -n 4 ./a.out matrix.h5 1000 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <xredist/xredist.h>

static void demand(int right, const char* what) {
  if (right) return;
  fprintf(stderr, "%s failed: %s\n", what, xredist_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Moves the matrix from layout a to layout b. */
static void move(int64_t n, const xredist_layout* a, const double* from, const xredist_layout* b, double* to) {
  const xredist_operation copy = {.m = n, .n = n, .type = 'D'};
  xredist_plan* plan;
  demand(xredist_plan_create(MPI_COMM_WORLD, a, b, &copy, &plan) == 0, "plan");
  demand(xredist_execute(&(xredist_job){.plan = plan, .a = from, .b = to}) == 0, "execute");
  xredist_plan_destroy(plan);
}

int main(int argc, char** argv) {
  int me, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  demand(argc == 3, "usage: xredist_hdf5 FILE N");
  const int64_t n = atoll(argv[2]);
  int64_t* bounds = malloc((size_t)(size + 1) * sizeof *bounds);
  for (int k = 0; k <= size; ++k) bounds[k] = n * k / size;
  const xredist_partition cols = {.count = size, .bounds = bounds};
  const xredist_layout blocks = {.nprow = 1, .npcol = size, .mb = 64, .nb = 64};
  const xredist_layout slabs = {.nprow = 1, .npcol = size, .mb = n, .cols = &cols};
  int64_t rows, held;
  demand(xredist_local_size(&blocks, n, n, me, &rows, &held) == 0, "sizes");
  double* const a = malloc((size_t)(rows * held + 1) * sizeof *a);
  double* const slab = malloc((size_t)(n * (bounds[me + 1] - bounds[me]) + 1) * sizeof *slab);
  for (int64_t k = 0; k < rows * held; ++k) a[k] = (double)(me + k * size);
  move(n, &blocks, a, &slabs, slab);

  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  const hsize_t all[] = {(hsize_t)n, (hsize_t)n}, first[] = {(hsize_t)bounds[me], 0};
  const hsize_t mine[] = {(hsize_t)(bounds[me + 1] - bounds[me]), (hsize_t)n};
  const hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t space = H5Screate_simple(2, all, NULL), memory = H5Screate_simple(2, mine, NULL);
  const hid_t data = H5Dcreate2(file, "matrix", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, mine, NULL);
  demand(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, transfer, slab) >= 0, "H5Dwrite");
  for (hsize_t k = 0; k < mine[0] * mine[1]; ++k) slab[k] = -1;
  demand(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, transfer, slab) >= 0, "H5Dread");
  H5Dclose(data), H5Sclose(space), H5Sclose(memory), H5Pclose(access), H5Pclose(transfer);
  demand(H5Fclose(file) >= 0, "H5Fclose");

  for (int64_t k = 0; k < rows * held; ++k) a[k] = -1;
  move(n, &slabs, slab, &blocks, a);
  int wrong = 0;
  for (int64_t k = 0; k < rows * held; ++k) wrong += a[k] != (double)(me + k * size);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("%s: %d wrong elements\n", argv[1], wrong);
  free(bounds), free(a), free(slab);
  MPI_Finalize();
  return wrong != 0;
}
