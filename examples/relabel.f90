! SPDX-License-Identifier: BSD-3-Clause
!> Creates a target grid that keeps most data in place, with XREDIST_GRIDMAP. A matrix with one block of rows per process
!! goes to cyclic blocks of half the height, as for a factorisation (the experiment of Kalns & Ni 1995): once on the
!! optimal grid, once on the row-major grid. The program prints the fractions of elements that stay on their process, and
!! ends with status 1 if XREDIST_GRIDMAP returned other fractions.
program relabel
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist, only: pdgemr2d
  use xredist_mapping, only: xredist_gridmap
  implicit none

  integer, parameter :: height = 256, block = height/2
  integer :: process, processes, rows, columns, n, source_grid, i, j, descriptor(9), info
  integer, allocatable :: map(:, :)
  real(real64), allocatable :: a(:, :)
  real(real64) :: kept(2), counted(2)
  external :: blacs_pinfo, blacs_get, blacs_gridinit, blacs_exit, descinit

  call blacs_pinfo(process, processes)
  rows = processes
  columns = 1
  n = height*processes

  ! Each element of A is the number of the process that holds it.
  call blacs_get(-1, 0, source_grid)
  call blacs_gridinit(source_grid, 'Row', processes, 1)
  allocate (a(height, n))
  a = process
  call descinit(descriptor, n, n, height, n, 0, 0, source_grid, height, info)
  if (info /= 0) error stop 'relabel: DESCINIT failed'

  ! The optimal grid for B.
  allocate (map(rows, columns))
  call xredist_gridmap(n, n, 1, 1, descriptor, 1, 1, block, block, 0, 0, rows, columns, source_grid, map, rows, kept)
  counted(1) = fraction_kept(new_grid())

  ! The row-major grid.
  map = reshape([((columns*i + j, i=0, rows - 1), j=0, columns - 1)], shape(map))
  counted(2) = fraction_kept(new_grid())

  if (process == 0) then
    print '(4(a, i0))', '# ', n, ' rows in blocks of ', height, ' -> cyclic blocks of ', block, ', processes: ', processes
    print '(a, f8.6)', 'row-major grid keeps ', counted(2), 'relabelled grid keeps ', counted(1)
  end if
  call blacs_exit(0)
  if (any(abs(counted - kept) > 1e-12_real64)) error stop 'relabel: XREDIST_GRIDMAP returned another fraction'

contains

  !> Returns a context with the processes of the source grid at the positions of `map`.
  integer function new_grid()
    external :: blacs_gridmap

    call blacs_get(source_grid, 10, new_grid)
    call blacs_gridmap(new_grid, map, rows, rows, columns)
  end function

  !> Copies A to a grid, and returns the fraction of elements that stayed on their process.
  real(real64) function fraction_kept(grid)
    integer, intent(in) :: grid
    real(real64), allocatable :: b(:, :)
    real(real64) :: stays(1)
    integer :: target(9), row, column, of_rows, of_columns
    integer, external :: numroc
    external :: blacs_gridinfo, dgsum2d

    call blacs_gridinfo(grid, of_rows, of_columns, row, column)
    allocate (b(max(1, numroc(n, block, row, 0, of_rows)), max(1, numroc(n, block, column, 0, of_columns))))
    b = -1
    call descinit(target, n, n, block, block, 0, 0, grid, size(b, 1), info)
    call pdgemr2d(n, n, a, 1, 1, descriptor, b, 1, 1, target, source_grid)
    stays = count(abs(b - process) <= 0)
    call dgsum2d(source_grid, 'All', ' ', 1, 1, stays, 1, -1, -1)
    fraction_kept = stays(1)/(real(n, real64)*n)
  end function

end program relabel
