/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts PETSc's dense matrices, whose rows are distributed in any way, to MATSCALAPACK and back by xredist. PETSc
 * (3.18) calls MatSetValues for every element, unless all processes but the last one have equally many rows.
 *
 *   mpicc -shared -fPIC xredist_petsc.c -o libxredist_petsc.so $(pkg-config --cflags --libs petsc xredist)
 *
 * A program links this library and calls PetscDLLibraryRegister_xredist_petsc, or any program of PETSc loads it:
 *
 *   mpirun -n 4 ./program -dll_append ./libxredist_petsc.so
 *
 * MatConvert then uses the library. A conversion moves the rows to the equal slabs that PETSc expects, by a plan with
 * partitions, and these slabs to the grid by PETSc's own converter, which calls P?GEMR2D: libxredist_scalapack
 * accelerates that call too. (The members of MATSCALAPACK are private, so a plan here cannot go to the grid at once.)
 * For scalars of any type, and for both sizes of PetscInt. */
#include <petscmat.h>
#include <xredist/xredist.h>

typedef PetscErrorCode Converter(Mat, MatType, MatReuse, Mat*);

/* PETSc's own converters and constructors, found by the registration. */
static Converter *slabs_to_grid, *grid_to_slabs;
static PetscErrorCode (*create_dense)(Mat), (*create_scalapack)(Mat);

/* Sets *layout to rows in PETSc's ranges. Keep *rows as long as the layout; the caller frees *bounds. */
static PetscErrorCode DescribeRows(Mat dense, xredist_partition* rows, xredist_layout* layout, int64_t** bounds) {
  PetscMPIInt size;
  const PetscInt* ranges;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)dense), &size));
  PetscCall(MatGetOwnershipRanges(dense, &ranges));
  PetscCall(PetscMalloc1(size + 1, bounds));
  for (PetscMPIInt k = 0; k <= size; ++k) (*bounds)[k] = ranges[k];
  *rows = (xredist_partition){.count = size, .bounds = *bounds};
  *layout = (xredist_layout){.nprow = size, .npcol = 1, .nb = 1, .rows = rows};
  PetscFunctionReturn(0);
}

/* Copies dense matrix A to dense matrix B, which has the same size and other ranges of rows. */
static PetscErrorCode MoveRows(Mat A, Mat B) {
  const MPI_Comm comm = PetscObjectComm((PetscObject)A);
  PetscInt m, n, lda, ldb;
  const PetscScalar* a;
  PetscScalar* b;
  int64_t *bounds_a, *bounds_b;
  xredist_partition rows_a, rows_b;
  xredist_layout from, to;
  xredist_plan* plan;

  PetscFunctionBegin;
  PetscCall(MatGetSize(A, &m, &n));
  PetscCall(DescribeRows(A, &rows_a, &from, &bounds_a));
  PetscCall(DescribeRows(B, &rows_b, &to, &bounds_b));
  const xredist_operation copy = {.m = m, .n = n, .bytes = sizeof(PetscScalar)};
  PetscCheck(xredist_plan_create(comm, &from, &to, &copy, &plan) == XREDIST_SUCCESS, PETSC_COMM_SELF, PETSC_ERR_LIB,
             "xredist: %s", xredist_error());
  PetscCall(PetscFree(bounds_a));
  PetscCall(PetscFree(bounds_b));
  PetscCall(MatDenseGetLDA(A, &lda));
  PetscCall(MatDenseGetLDA(B, &ldb));
  PetscCall(MatDenseGetArrayRead(A, &a));
  PetscCall(MatDenseGetArrayWrite(B, &b));
  const int code = xredist_execute(&(xredist_job){.plan = plan, .a = a, .lda = lda, .b = b, .ldb = ldb});
  PetscCall(MatDenseRestoreArrayWrite(B, &b));
  PetscCall(MatDenseRestoreArrayRead(A, &a));
  PetscCall(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
  xredist_plan_destroy(plan);
  PetscCheck(code == XREDIST_SUCCESS, PETSC_COMM_SELF, PETSC_ERR_LIB, "xredist: %s", xredist_error());
  PetscFunctionReturn(0);
}

/* Makes a dense matrix with the size of A and the rows of MATSCALAPACK: equally many, except for the last processes. */
static PetscErrorCode CreateSlabs(Mat A, Mat* slabs) {
  const MPI_Comm comm = PetscObjectComm((PetscObject)A);
  PetscInt M, N, m = PETSC_DECIDE, n = PETSC_DECIDE;

  PetscFunctionBegin;
  PetscCall(MatGetSize(A, &M, &N));
  PetscCall(PetscSplitOwnershipEqual(comm, &m, &M));
  PetscCall(PetscSplitOwnershipEqual(comm, &n, &N));
  PetscCall(MatCreateDense(comm, m, n, M, N, NULL, slabs));
  PetscFunctionReturn(0);
}

/* Sets *slabs to whether the rows of a dense matrix are those of CreateSlabs. */
static PetscErrorCode HasSlabs(Mat dense, PetscBool* slabs) {
  PetscMPIInt size;
  PetscInt M;
  const PetscInt* ranges;

  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)dense), &size));
  PetscCall(MatGetSize(dense, &M, NULL));
  PetscCall(MatGetOwnershipRanges(dense, &ranges));
  const PetscInt height = M / size + (M % size != 0);
  *slabs = PETSC_TRUE;
  for (PetscMPIInt k = 1; k < size; ++k)
    if (ranges[k] != PetscMin(k * height, M)) *slabs = PETSC_FALSE;
  PetscFunctionReturn(0);
}

static PetscErrorCode ConvertToScaLAPACK(Mat A, MatType type, MatReuse reuse, Mat* B) {
  Mat slabs, result;
  PetscBool has_slabs;

  PetscFunctionBegin;
  PetscCall(HasSlabs(A, &has_slabs));
  if (has_slabs) {
    PetscCall(slabs_to_grid(A, type, reuse, B));
    PetscFunctionReturn(0);
  }
  PetscCall(CreateSlabs(A, &slabs));
  PetscCall(MoveRows(A, slabs));
  result = reuse == MAT_REUSE_MATRIX ? *B : NULL;
  PetscCall(slabs_to_grid(slabs, type, reuse == MAT_REUSE_MATRIX ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, &result));
  PetscCall(MatDestroy(&slabs));
  if (reuse == MAT_INPLACE_MATRIX)
    PetscCall(MatHeaderReplace(A, &result));
  else
    *B = result;
  PetscFunctionReturn(0);
}

/* PETSc's own converter makes slabs. Only a matrix that exists has other rows, or a leading dimension of its own. */
static PetscErrorCode ConvertFromScaLAPACK(Mat A, MatType type, MatReuse reuse, Mat* B) {
  Mat slabs;

  PetscFunctionBegin;
  if (reuse == MAT_REUSE_MATRIX) {
    PetscCall(grid_to_slabs(A, type, MAT_INITIAL_MATRIX, &slabs));
    PetscCall(MoveRows(slabs, *B));
    PetscCall(MatDestroy(&slabs));
  } else
    PetscCall(grid_to_slabs(A, type, reuse, B));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateDense(Mat A) {
  PetscFunctionBegin;
  PetscCall(create_dense(A));
  PetscCall(PetscObjectQueryFunction((PetscObject)A, "MatConvert_mpidense_scalapack_C", &slabs_to_grid));
  PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_mpidense_scalapack_C", ConvertToScaLAPACK));
  PetscFunctionReturn(0);
}

static PetscErrorCode CreateScaLAPACK(Mat A) {
  PetscFunctionBegin;
  PetscCall(create_scalapack(A));
  PetscCall(MatGetOperation(A, MATOP_CONVERT, (void (**)(void)) & grid_to_slabs));
  PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_scalapack_dense_C", ConvertFromScaLAPACK));
  PetscCall(PetscObjectComposeFunction((PetscObject)A, "MatConvert_scalapack_mpidense_C", ConvertFromScaLAPACK));
  PetscFunctionReturn(0);
}

/* Makes MatConvert use this library for all matrices that are created later. */
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_xredist_petsc(void) {
  PetscFunctionBegin;
  if (create_dense != NULL) PetscFunctionReturn(0);
  PetscCall(MatInitializePackage());
  PetscCall(PetscFunctionListFind(MatList, MATMPIDENSE, &create_dense));
  PetscCall(PetscFunctionListFind(MatList, MATSCALAPACK, &create_scalapack));
  PetscCheck(create_scalapack != NULL, PETSC_COMM_SELF, PETSC_ERR_SUP, "this PETSc was built without ScaLAPACK");
  PetscCall(MatRegister(MATMPIDENSE, CreateDense));
  PetscCall(MatRegister(MATSCALAPACK, CreateScaLAPACK));
  PetscFunctionReturn(0);
}
