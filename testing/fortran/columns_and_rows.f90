! SPDX-License-Identifier: BSD-3-Clause
!> Two distributions over all processes for the tests of module xredist: blocks of columns, and blocks of rows.
module columns_and_rows
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use xredist, only: xredist_error_text, xredist_invalid_argument
  implicit none
  private

  integer, public :: process, processes, column
  integer, public :: grid_rows, grid_columns, descriptor_rows(9), descriptor_columns(9)
  integer, public :: rows, columns  !< on this process
  integer, external, public :: indxl2g
  public :: begin, element, is, expect, refused, refused_here, finish

  integer :: failures = 0

contains

  !> Makes both grids, and the descriptors of an n x n matrix.
  subroutine begin(n)
    integer, intent(in) :: n
    integer :: i, j, row, info
    integer, external :: numroc
    external :: blacs_get, blacs_gridinfo, blacs_gridinit, blacs_pinfo, descinit

    call blacs_pinfo(process, processes)
    call blacs_get(-1, 0, grid_rows)
    call blacs_gridinit(grid_rows, 'Row', processes, 1)
    call blacs_get(-1, 0, grid_columns)
    call blacs_gridinit(grid_columns, 'Row', 1, processes)
    call blacs_gridinfo(grid_columns, i, j, row, column)
    columns = numroc(n, 2, column, 0, processes)
    rows = numroc(n, 1, process, 0, processes)
    call descinit(descriptor_columns, n, n, 2, 2, 0, 0, grid_columns, n, info)
    call descinit(descriptor_rows, n, n, 1, 3, 0, 0, grid_rows, max(1, rows), info)
  end subroutine

  !> Returns element (i, j) of a matrix of integers.
  real(real64) function element(i, j)
    integer, intent(in) :: i, j

    element = 100*i + j
  end function

  logical function is(x, expected)
    real(real64), intent(in) :: x, expected

    is = abs(x - expected) < 0.5_real64
  end function

  subroutine expect(name, right)
    character(len=*), intent(in) :: name
    logical, intent(in) :: right

    if (right) return
    failures = failures + 1
    write (error_unit, '(2a)') 'wrong: ', name
  end subroutine

  !> Expects INFO of an invalid argument, and a sentence that begins with `text`.
  subroutine refused(info, what, text)
    integer, intent(inout) :: info
    character(len=*), intent(in) :: what, text
    character(len=200) :: sentence

    call xredist_error_text(sentence)
    call expect(what//': '//trim(sentence), info == xredist_invalid_argument .and. index(sentence, text) == 1)
    info = 0
  end subroutine

  !> Expects such a sentence about this process.
  subroutine refused_here(info, what, text)
    integer, intent(inout) :: info
    character(len=*), intent(in) :: what, text
    character(len=12) :: number

    write (number, '(i0)') process
    call refused(info, what, 'process '//trim(number)//': '//text)
  end subroutine

  !> Ends the program: prints `text` if no process counted a failure, returns status 1 otherwise.
  subroutine finish(text)
    character(len=*), intent(in) :: text
    external :: blacs_exit, igsum2d

    call igsum2d(grid_rows, 'All', ' ', 1, 1, failures, 1, -1, -1)
    if (process == 0 .and. failures == 0) print '(a)', text
    call blacs_exit(0)
    if (failures /= 0) stop 1
  end subroutine
end module
