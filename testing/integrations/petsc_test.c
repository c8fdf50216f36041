/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts dense matrices with unequal rows to MATSCALAPACK and back by MatConvert, checks every element, and prints
 * the median times. The program does not know xredist, which -dll_append loads. Options: -M -N the size, -repeat the
 * number of timed conversions each way, -lda how many elements of the leading dimension are beyond the rows. */
#include <petscmat.h>

/* Distributions of rows: process k has a number proportional to k + 1; process 0 has none; all have equally many,
 * except for the last ones. */
typedef enum { growing, first_empty, equal, distributions } Distribution;

static PetscScalar Value(PetscInt i, PetscInt j) { return (PetscReal)(i + 1) + (PetscReal)0.0001 * (PetscReal)j; }

static PetscErrorCode CreateDense(PetscInt M, PetscInt N, PetscInt beyond, Distribution distribution, Mat* dense) {
  PetscMPIInt size, rank;
  PetscInt n = PETSC_DECIDE, ends[2];

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  for (PetscInt e = 0, k = rank; e < 2; ++e, ++k) {
    if (distribution == growing)
      ends[e] = M * k * (k + 1) / (size * (size + 1));
    else if (distribution == first_empty)
      ends[e] = size == 1 ? M * k : M * PetscMax(k - 1, 0) / (size - 1);
    else
      ends[e] = PetscMin(M, k * ((M + size - 1) / size));
  }
  PetscCall(PetscSplitOwnershipEqual(PETSC_COMM_WORLD, &n, &N));
  PetscCall(MatCreate(PETSC_COMM_WORLD, dense));
  PetscCall(MatSetSizes(*dense, ends[1] - ends[0], n, M, N));
  PetscCall(MatSetType(*dense, MATDENSE));
  PetscCall(MatDenseSetLDA(*dense, ends[1] - ends[0] + beyond));
  PetscCall(MatSetUp(*dense));
  PetscCall(MatAssemblyBegin(*dense, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*dense, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Sets all elements to Value(i, j) + shift, or counts those that differ from these values into *wrong. */
static PetscErrorCode Visit(Mat dense, PetscReal shift, PetscInt* wrong) {
  PetscInt first, last, lda, N;
  PetscScalar* a;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(dense, &first, &last));
  PetscCall(MatGetSize(dense, NULL, &N));
  PetscCall(MatDenseGetLDA(dense, &lda));
  PetscCall(MatDenseGetArray(dense, &a));
  for (PetscInt j = 0; j < N; ++j)
    for (PetscInt i = first; i < last; ++i) {
      PetscScalar* const element = &a[(i - first) + j * lda];
      if (wrong == NULL)
        *element = Value(i, j) + shift;
      else
        *wrong += *element != Value(i, j) + shift;
    }
  PetscCall(MatDenseRestoreArray(dense, &a));
  PetscFunctionReturn(0);
}

/* Counts the elements of a matrix on the grid that are wrong. PETSc itself copies the grid to equal rows. */
static PetscErrorCode VisitGrid(Mat grid, PetscReal shift, PetscInt* wrong) {
  Mat dense;

  PetscFunctionBegin;
  PetscCall(MatConvert(grid, MATDENSE, MAT_INITIAL_MATRIX, &dense));
  PetscCall(Visit(dense, shift, wrong));
  PetscCall(MatDestroy(&dense));
  PetscFunctionReturn(0);
}

/* Converts matrices of one distribution in all ways, and counts the elements that are wrong. */
static PetscErrorCode Check(PetscInt M, PetscInt N, PetscInt beyond, Distribution distribution, PetscInt* wrong) {
  Mat dense, grid, back;

  PetscFunctionBegin;
  PetscCall(CreateDense(M, N, beyond, distribution, &dense));
  PetscCall(CreateDense(M, N, beyond, distribution, &back));
  PetscCall(Visit(dense, 0, NULL));
  PetscCall(MatConvert(dense, MATSCALAPACK, MAT_INITIAL_MATRIX, &grid));
  PetscCall(VisitGrid(grid, 0, wrong));
  PetscCall(Visit(dense, 1, NULL));
  PetscCall(MatConvert(dense, MATSCALAPACK, MAT_REUSE_MATRIX, &grid));
  PetscCall(VisitGrid(grid, 1, wrong));
  PetscCall(MatConvert(grid, MATDENSE, MAT_REUSE_MATRIX, &back));
  PetscCall(Visit(back, 1, wrong));
  PetscCall(MatConvert(dense, MATSCALAPACK, MAT_INPLACE_MATRIX, &dense));
  PetscCall(VisitGrid(dense, 1, wrong));
  PetscCall(MatConvert(grid, MATDENSE, MAT_INPLACE_MATRIX, &grid));
  PetscCall(Visit(grid, 1, wrong));
  PetscCall(MatDestroy(&dense));
  PetscCall(MatDestroy(&grid));
  PetscCall(MatDestroy(&back));
  PetscFunctionReturn(0);
}

/* Prints the median seconds of conversions from `growing` rows to the grid and back, after one that is not timed. */
static PetscErrorCode Time(PetscInt M, PetscInt N, PetscInt repeat) {
  Mat dense, grid;
  PetscReal* seconds[2];

  PetscFunctionBegin;
  PetscCall(CreateDense(M, N, 0, growing, &dense));
  PetscCall(Visit(dense, 0, NULL));
  PetscCall(MatConvert(dense, MATSCALAPACK, MAT_INITIAL_MATRIX, &grid));
  PetscCall(MatConvert(grid, MATDENSE, MAT_REUSE_MATRIX, &dense));
  PetscCall(PetscMalloc2(repeat, &seconds[0], repeat, &seconds[1]));
  for (PetscInt k = 0; k < repeat; ++k)
    for (int home = 0; home < 2; ++home) {
      PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
      const double start = MPI_Wtime();
      if (home)
        PetscCall(MatConvert(grid, MATDENSE, MAT_REUSE_MATRIX, &dense));
      else
        PetscCall(MatConvert(dense, MATSCALAPACK, MAT_REUSE_MATRIX, &grid));
      PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
      seconds[home][k] = MPI_Wtime() - start;
    }
  for (int home = 0; home < 2; ++home) PetscCall(PetscSortReal(repeat, seconds[home]));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d x %d: to the grid in %.1f ms, back in %.1f ms\n", (int)M, (int)N,
                        1e3 * seconds[0][repeat / 2], 1e3 * seconds[1][repeat / 2]));
  PetscCall(PetscFree2(seconds[0], seconds[1]));
  PetscCall(MatDestroy(&dense));
  PetscCall(MatDestroy(&grid));
  PetscFunctionReturn(0);
}

/* Writes a matrix of the type of sparse matrices, as a binary file of PETSc. */
static PetscErrorCode Write(PetscInt M, PetscInt N, const char* file) {
  Mat dense, sparse;
  PetscViewer viewer;

  PetscFunctionBegin;
  PetscCall(CreateDense(M, N, 0, equal, &dense));
  PetscCall(Visit(dense, 0, NULL));
  PetscCall(MatConvert(dense, MATAIJ, MAT_INITIAL_MATRIX, &sparse));
  PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, file, FILE_MODE_WRITE, &viewer));
  PetscCall(MatView(sparse, viewer));
  PetscCall(PetscViewerDestroy(&viewer));
  PetscCall(MatDestroy(&dense));
  PetscCall(MatDestroy(&sparse));
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  PetscInt M = 37, N = 23, repeat = 0, beyond = 0, wrong = 0;
  PetscBool write;
  char file[PETSC_MAX_PATH_LEN];

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-M", &M, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-N", &N, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-repeat", &repeat, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-lda", &beyond, NULL));
  PetscCall(PetscOptionsGetString(NULL, NULL, "-write", file, sizeof file, &write));
  if (write) {
    PetscCall(Write(M, N, file));
    PetscCall(PetscFinalize());
    return 0;
  }
  for (Distribution d = growing; d < distributions; ++d) PetscCall(Check(M, N, beyond, d, &wrong));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPIU_INT, MPI_SUM, PETSC_COMM_WORLD));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%d elements are wrong\n", (int)wrong));
  if (repeat > 0) PetscCall(Time(M, N, repeat));
  PetscCall(PetscFinalize());
  return wrong != 0;
}
