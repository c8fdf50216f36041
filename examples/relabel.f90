! SPDX-License-Identifier: BSD-3-Clause
!> Creates a target grid that keeps most data in place, with XREDIST_GRIDMAP. A matrix with one block of rows per process
!! goes to cyclic blocks of half the height, as for a factorisation (the experiment of Kalns & Ni 1995). The program prints
!! the fractions of elements that stay on their process with the best grid and with the row-major grid. It ends with status
!! 1 if another fraction stayed.
program relabel
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist, only: pdgemr2d
  use xredist_mapping, only: xredist_gridmap
  implicit none

  integer, parameter :: height = 256, block = height/2
  integer :: process, processes, n, source_grid, target_grid, rows, columns, row, column, desca(9), descb(9), info
  integer, allocatable :: map(:, :)
  real(real64), allocatable :: a(:, :), b(:, :)
  real(real64) :: kept(2), stays(1)
  integer, external :: numroc
  external :: blacs_pinfo, blacs_get, blacs_gridinfo, blacs_gridinit, blacs_gridmap, blacs_exit, descinit, dgsum2d

  ! Each element of A is the number of the process that holds it.
  call blacs_pinfo(process, processes)
  n = height*processes
  call blacs_get(-1, 0, source_grid)
  call blacs_gridinit(source_grid, 'Row', processes, 1)
  allocate (a(height, n))
  a = process
  call descinit(desca, n, n, height, n, 0, 0, source_grid, height, info)
  if (info /= 0) error stop 'relabel: DESCINIT failed'

  ! The grid for B, of processes x 1.
  allocate (map(processes, 1))
  call xredist_gridmap(n, n, 1, 1, desca, 1, 1, block, block, 0, 0, processes, 1, source_grid, map, processes, kept)
  call blacs_get(source_grid, 10, target_grid)
  call blacs_gridmap(target_grid, map, processes, processes, 1)

  call blacs_gridinfo(target_grid, rows, columns, row, column)
  allocate (b(numroc(n, block, row, 0, rows), n), source=-1.0_real64)
  call descinit(descb, n, n, block, block, 0, 0, target_grid, size(b, 1), info)
  if (info /= 0) error stop 'relabel: DESCINIT failed'
  call pdgemr2d(n, n, a, 1, 1, desca, b, 1, 1, descb, source_grid)
  stays = count(abs(b - process) <= 0)
  call dgsum2d(source_grid, 'All', ' ', 1, 1, stays, 1, -1, -1)

  if (process == 0) then
    print '(4(a, i0))', '# ', n, ' rows in blocks of ', height, ' -> cyclic blocks of ', block, ', processes: ', processes
    print '(a, f8.6)', 'row-major grid keeps ', kept(2), 'relabelled grid keeps ', kept(1)
  end if
  call blacs_exit(0)
  if (abs(stays(1)/(real(n, real64)*n) - kept(1)) > 1e-12_real64) error stop 'relabel: XREDIST_GRIDMAP returned another fraction'
end program relabel
