! SPDX-License-Identifier: BSD-3-Clause
!> Process grids, matrices on process grids, and timed redistribution.
module distribution
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Allreduce, MPI_Barrier, MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_IN_PLACE, MPI_MAX, MPI_Wtime
  use xredist, only: pdgemr2d
  implicit none
  private

  public :: matrix, new_grid, new_matrix, near_square, redistribute

  !> The local part of a block-cyclic matrix.
  type :: matrix
    integer :: desc(9)
    real(real64), allocatable :: local(:, :)
  end type

contains

  !> Returns the number of rows of the most nearly square grid: the largest divisor up to the square root.
  pure integer function near_square(processes)
    integer, intent(in) :: processes

    near_square = int(sqrt(real(processes, real64)))
    do while (mod(processes, near_square) /= 0)
      near_square = near_square - 1
    end do
  end function

  !> Returns a BLACS context of rows x columns processes in row-major order.
  integer function new_grid(rows, columns)
    integer, intent(in) :: rows, columns
    external :: blacs_get, blacs_gridinit

    call blacs_get(-1, 0, new_grid)
    call blacs_gridinit(new_grid, 'Row', rows, columns)
  end function

  !> Returns an m x n matrix of zeros in blocks of mb x nb. The local array has at least one row and one column.
  function new_matrix(grid, m, n, mb, nb) result(new)
    integer, intent(in) :: grid, m, n, mb, nb
    type(matrix) :: new
    external :: blacs_gridinfo, descinit
    integer, external :: numroc
    integer :: rows, columns, row, column, info

    call blacs_gridinfo(grid, rows, columns, row, column)
    allocate (new%local(max(1, numroc(m, mb, row, 0, rows)), max(1, numroc(n, nb, column, 0, columns))))
    new%local = 0
    call descinit(new%desc, m, n, mb, nb, 0, 0, grid, size(new%local, 1), info)
    if (info /= 0) error stop 'solve: DESCINIT failed'
  end function

  !> Copies the whole matrix. Both grids have all processes, so either context covers both grids. Sets `seconds` to the
  !! time of the slowest process.
  subroutine redistribute(from, to, seconds)
    type(matrix), intent(in) :: from
    type(matrix), intent(inout) :: to
    real(real64), intent(out) :: seconds
    real(real64) :: start

    call MPI_Barrier(MPI_COMM_WORLD)  ! the time excludes waiting for late processes
    start = MPI_Wtime()
    call pdgemr2d(from%desc(3), from%desc(4), from%local, 1, 1, from%desc, to%local, 1, 1, to%desc, from%desc(2))
    seconds = MPI_Wtime() - start
    call MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  end subroutine

end module distribution
