! SPDX-License-Identifier: BSD-3-Clause
!> read_market FILE: prints the matrix of a Matrix Market file. For the tests: one process, without MPI.
program read_market
  use, intrinsic :: iso_fortran_env, only: error_unit, real64
  use matrix_market
  implicit none

  character(len=:), allocatable :: error
  character(len=4096) :: name
  type(market_file) :: file
  real(real64), allocatable :: rows(:, :)

  call get_command_argument(1, name)
  call open_market(trim(name), file, error)
  call end_if_failed()
  allocate (rows(file%n, file%n))
  call read_rows(file, 1, rows, error)
  call end_if_failed()
  print '(*(1x, f0.3))', rows

contains

  subroutine end_if_failed()
    if (.not. allocated(error)) return
    write (error_unit, '(a)') error
    stop 1, quiet=.true.
  end subroutine

end program read_market
