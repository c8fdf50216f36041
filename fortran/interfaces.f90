! SPDX-License-Identifier: BSD-3-Clause
!> Calls every routine of module xredist, for the tests: moves a matrix on all processes from blocks of columns to
!! blocks of rows and back. A wrong interface would move wrong bytes.
program interfaces
  use, intrinsic :: iso_fortran_env, only: error_unit, real32, real64
  use xredist
  implicit none

  integer, parameter :: n = 7
  integer :: process, processes, grid_rows, grid_columns, descriptor_rows(9), descriptor_columns(9), info, i, j
  integer :: row, column, length, failures = 0
  integer, allocatable :: at(:)  ! the value of each local element: its global index
  logical, allocatable :: below(:)
  integer, external :: indxl2g, numroc
  external :: blacs_exit, blacs_get, blacs_gridinfo, blacs_gridinit, blacs_pinfo, descinit, igsum2d

  call blacs_pinfo(process, processes)
  call blacs_get(-1, 0, grid_rows)
  call blacs_gridinit(grid_rows, 'Row', processes, 1)
  call blacs_get(-1, 0, grid_columns)
  call blacs_gridinit(grid_columns, 'Row', 1, processes)
  call blacs_gridinfo(grid_columns, i, j, row, column)
  length = numroc(n, 2, column, 0, processes)
  call descinit(descriptor_columns, n, n, 2, 2, 0, 0, grid_columns, n, info)
  call descinit(descriptor_rows, n, n, 1, 3, 0, 0, grid_rows, max(1, numroc(n, 1, process, 0, processes)), info)

  at = [((i + 100*indxl2g(j, 2, column, 0, processes), i=1, n), j=1, length)]
  below = [((i > indxl2g(j, 2, column, 0, processes), i=1, n), j=1, length)]
  call whole_numbers()
  call single()
  call double()
  call single_complex()
  call double_complex()
  call igsum2d(grid_rows, 'All', ' ', 1, 1, failures, 1, -1, -1)
  if (process == 0 .and. failures == 0) print '(a)', 'ten interfaces right'
  call blacs_exit(0)
  if (failures /= 0) stop 1, quiet=.true.

contains

  subroutine whole_numbers()
    integer :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = at
    c = -1
    d = -1
    call pgemr2d(n, n, a, 1, 1, descriptor_columns, b, 1, 1, descriptor_rows, grid_rows)
    call pgemr2d(n, n, b, 1, 1, descriptor_rows, c, 1, 1, descriptor_columns, grid_rows)
    call ptrmr2d('L', 'U', n, n, b, 1, 1, descriptor_rows, d, 1, 1, descriptor_columns, grid_rows)
    call expect('whole_numbers', all(abs(c - a) <= 0) .and. all(abs(merge(a, a*0 - 1, below) - d) <= 0))
  end subroutine

  subroutine single()
    real(real32) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = real(at, real32)
    c = -1
    d = -1
    call pgemr2d(n, n, a, 1, 1, descriptor_columns, b, 1, 1, descriptor_rows, grid_rows)
    call pgemr2d(n, n, b, 1, 1, descriptor_rows, c, 1, 1, descriptor_columns, grid_rows)
    call ptrmr2d('L', 'U', n, n, b, 1, 1, descriptor_rows, d, 1, 1, descriptor_columns, grid_rows)
    call expect('single', all(abs(c - a) <= 0) .and. all(abs(merge(a, a*0 - 1, below) - d) <= 0))
  end subroutine

  subroutine double()
    real(real64) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = real(at, real64)
    c = -1
    d = -1
    call pgemr2d(n, n, a, 1, 1, descriptor_columns, b, 1, 1, descriptor_rows, grid_rows)
    call pgemr2d(n, n, b, 1, 1, descriptor_rows, c, 1, 1, descriptor_columns, grid_rows)
    call ptrmr2d('L', 'U', n, n, b, 1, 1, descriptor_rows, d, 1, 1, descriptor_columns, grid_rows)
    call expect('double', all(abs(c - a) <= 0) .and. all(abs(merge(a, a*0 - 1, below) - d) <= 0))
  end subroutine

  subroutine single_complex()
    complex(real32) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = cmplx(at, -at, real32)
    c = -1
    d = -1
    call pgemr2d(n, n, a, 1, 1, descriptor_columns, b, 1, 1, descriptor_rows, grid_rows)
    call pgemr2d(n, n, b, 1, 1, descriptor_rows, c, 1, 1, descriptor_columns, grid_rows)
    call ptrmr2d('L', 'U', n, n, b, 1, 1, descriptor_rows, d, 1, 1, descriptor_columns, grid_rows)
    call expect('single_complex', all(abs(c - a) <= 0) .and. all(abs(merge(a, a*0 - 1, below) - d) <= 0))
  end subroutine

  subroutine double_complex()
    complex(real64) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = cmplx(at, -at, real64)
    c = -1
    d = -1
    call pgemr2d(n, n, a, 1, 1, descriptor_columns, b, 1, 1, descriptor_rows, grid_rows)
    call pgemr2d(n, n, b, 1, 1, descriptor_rows, c, 1, 1, descriptor_columns, grid_rows)
    call ptrmr2d('L', 'U', n, n, b, 1, 1, descriptor_rows, d, 1, 1, descriptor_columns, grid_rows)
    call expect('double_complex', all(abs(c - a) <= 0) .and. all(abs(merge(a, a*0 - 1, below) - d) <= 0))
  end subroutine

  subroutine expect(name, right)
    character(len=*), intent(in) :: name
    logical, intent(in) :: right

    if (right) return
    failures = failures + 1
    write (error_unit, '(2a)') 'interfaces: wrong elements: ', name
  end subroutine

end program interfaces
