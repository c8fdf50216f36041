! SPDX-License-Identifier: BSD-3-Clause
! The beginning of a program, with the names that the documents' statements in Fortran use and do not declare.
program context
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use xredist
  use xredist_library
  use xredist_mapping
  implicit none (type, external)
  external :: blacs_get, blacs_gridmap, descinit, pstran, work
  integer :: comm, ctxt, desca(9), descb(9), desc_transposed(9), m, n, ia, ja, ib, jb, mb, nb, rsrc, csrc, nprow, npcol
  integer :: grid, target, target_grid, single, me, rows, columns, local_rows, lda, ldb, ca, cb, ldumap, usermap(4, 4), owners(2)
  integer :: desc(9), rank, local_cols, step, steps, info, error
  integer(int64) :: bounds(3)
  real(real32), allocatable :: a_transposed(:, :), b_single(:, :)
  real(real64), allocatable :: a(:, :), b(:, :)
  real(real64) :: alpha, beta, kept(2)
  character(len=20) :: place
  type(xredist_plan) :: plan
  type(xredist_request) :: request
contains
