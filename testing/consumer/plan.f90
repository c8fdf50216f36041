! SPDX-License-Identifier: BSD-3-Clause
! Plans in Fortran: adds the transpose of a matrix in rows to a matrix in blocks, while the program could compute.
program plan_f90
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist
  implicit none
  integer, parameter :: n = 100, nb = 8
  integer :: me, processes, rows, grid, side, nprow, npcol, row, column, height, width, desca(9), descb(9), info
  integer, external :: numroc
  external :: blacs_exit, blacs_get, blacs_gridinfo, blacs_gridinit, blacs_pinfo, descinit
  real(real64), allocatable, asynchronous :: a(:, :), b(:, :)
  type(xredist_plan) :: plan
  type(xredist_request) :: request
  character(len=512) :: sentence

  call blacs_pinfo(me, processes)
  call blacs_get(-1, 0, rows)
  call blacs_get(-1, 0, grid)
  call blacs_gridinit(rows, 'R', processes, 1)       ! all processes, in one column
  side = int(sqrt(real(processes)))
  call blacs_gridinit(grid, 'R', side, side)         ! some of them, in a square

  call blacs_gridinfo(rows, nprow, npcol, row, column)
  height = numroc(n, 1, row, 0, nprow)
  allocate(a(height, n), source=1.0_real64)
  call descinit(desca, n, n, 1, n, 0, 0, rows, max(1, height), info)

  descb(2) = -1                                      ! on processes outside the square
  height = 0
  width = 0
  call blacs_gridinfo(grid, nprow, npcol, row, column)
  if (row >= 0) then
    height = numroc(n, nb, row, 0, nprow)
    width = numroc(n, nb, column, 0, npcol)
    call descinit(descb, n, n, nb, nb, 0, 0, grid, max(1, height), info)
  end if
  allocate(b(height, width), source=2.0_real64)

  call xredist_plan_create(plan, rows, n, n, desca, descb, 'D', trans='T', info=info)
  if (info /= 0) then
    call xredist_error_text(sentence)
    error stop trim(sentence)
  end if
  call xredist_start(plan, a, b, request, alpha=10.0_real64, beta=1.0_real64)
  call xredist_wait(request)                         ! without info, an error ends the program
  call xredist_plan_destroy(plan)
  if (any(abs(b - 12) > 0)) error stop 'wrong elements'
  if (me == 0) print '(a)', 'right'
  call blacs_exit(0)
end program plan_f90
