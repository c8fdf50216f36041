! SPDX-License-Identifier: BSD-3-Clause
!> Tests the interfaces of P?GEMR2D and P?TRMR2D: copies a matrix from blocks of columns to blocks of rows and back. A
!! wrong interface would copy wrong bytes.
program interfaces
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use columns_and_rows
  use xredist
  implicit none

  integer, parameter :: n = 7
  integer :: i, j
  integer, allocatable :: at(:)  ! values of the local elements: global indices
  logical, allocatable :: below(:)

  call begin(n)
  at = [((i + 100*indxl2g(j, 2, column, 0, processes), i=1, n), j=1, columns)]
  below = [((i > indxl2g(j, 2, column, 0, processes), i=1, n), j=1, columns)]
  call whole_numbers()
  call single()
  call double()
  call single_complex()
  call double_complex()
  call finish('ten interfaces right')

contains

  subroutine whole_numbers()
    integer :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = at
    include 'round_trip.inc'
  end subroutine

  subroutine single()
    real(real32) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = real(at, real32)
    include 'round_trip.inc'
  end subroutine

  subroutine double()
    real(real64) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = real(at, real64)
    include 'round_trip.inc'
  end subroutine

  subroutine single_complex()
    complex(real32) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = cmplx(at, -at, real32)
    include 'round_trip.inc'
  end subroutine

  subroutine double_complex()
    complex(real64) :: a(size(at)), b(n*n), c(size(at)), d(size(at))
    a = cmplx(at, -at, real64)
    include 'round_trip.inc'
  end subroutine

end program interfaces
