! SPDX-License-Identifier: BSD-3-Clause
! The beginning of a program, with the names that the documents' statements in Fortran use and do not declare.
program context
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc, c_size_t
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use xredist
  use xredist_files
  use xredist_library
  use xredist_mapping
  use xredist_solvers
  implicit none (type, external)
  external :: blacs_get, blacs_gridexit, blacs_gridinfo, blacs_gridinit, blacs_gridmap, blacs_pinfo, descinit
  external :: dgebr2d, dgebs2d, pdsyevd, pstran, work
  integer :: comm, ctxt, desca(9), descb(9), desc_transposed(9), m, n, ia, ja, ib, jb, mb, nb, rsrc, csrc, nprow, npcol
  integer :: grid, target, target_grid, single, me, rows, columns, local_rows, lda, ldb, ca, cb, ldumap, usermap(4, 4)
  integer :: desc(9), rank, local_cols, local_col, step, steps, info, error
  integer(int64), allocatable :: bounds(:), places(:)
  real(real32), allocatable :: a_transposed(:, :), b_single(:, :)
  real(real64), allocatable :: a(:, :), b(:, :)
  real(real64), pointer, contiguous :: new(:, :)
  real(real64) :: alpha, beta, kept(2)
  real(real64), allocatable :: z(:, :)
  real(real64) :: w(4), workspace(1)
  integer :: cols, lwork, liwork, iwork(1), ranks(4)
  integer :: i, j, col, myrow, mycol, prow, pcol, local_row
  integer, allocatable :: global_rows(:), global_cols(:), owners(:)
  type(xredist_layout) :: layout_a, layout_b
  integer :: nx, ny, nz, local(3), k, order(4)
  complex(real64), allocatable :: u(:, :, :), v(:, :, :)
  type(xredist_array_layout) :: layout, x, y
  type(xredist_plan) :: there, back
  character(len=20) :: place
  type(xredist_plan) :: plan
  type(xredist_request) :: request
contains
