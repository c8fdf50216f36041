! SPDX-License-Identifier: BSD-3-Clause
!> Residuals in the Frobenius norm of matrices in blocks of rows: process k holds block k, and all columns. They need no
!! routine of PBLAS: PDGEMM of MKL 2020.4 crashes with Open MPI.
module residuals
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08, only: MPI_Allreduce, MPI_Bcast, MPI_COMM_WORLD, MPI_Comm_rank, MPI_Comm_size, MPI_DOUBLE_PRECISION, &
                     MPI_IN_PLACE, MPI_SUM
  use distribution, only: matrix
  implicit none
  private

  public :: solve_residual, eigen_residual, orthogonality

contains

  !> Returns ||A x - b|| / (||A|| ||x||).
  real(real64) function solve_residual(a, x, b)
    type(matrix), intent(in) :: a, x, b

    solve_residual = norm(multiplied(a, x) - held(b))/(norm(held(a))*norm(held(x)))
  end function

  !> Returns ||A V - V Lambda|| / ||A||.
  real(real64) function eigen_residual(a, v, lambda)
    type(matrix), intent(in) :: a, v
    real(real64), intent(in) :: lambda(:)
    real(real64), allocatable :: r(:, :)
    integer :: k

    allocate (r, source=multiplied(a, v))
    do k = 1, size(lambda)
      r(:, k) = r(:, k) - lambda(k)*v%local(:size(r, 1), k)
    end do
    eigen_residual = norm(r)/norm(held(a))
  end function

  !> Returns ||V^T V - I||. All processes hold some columns of V^T V at a time.
  real(real64) function orthogonality(v)
    type(matrix), intent(in) :: v
    integer, parameter :: width = 100
    real(real64), allocatable :: mine(:, :), columns(:, :)
    real(real64) :: squares
    integer :: first, last, k

    allocate (mine, source=held(v))
    squares = 0
    do first = 1, size(mine, 2), width
      last = min(first + width - 1, size(mine, 2))
      allocate (columns(size(mine, 2), first:last), source=matmul(transpose(mine), mine(:, first:last)))
      call MPI_Allreduce(MPI_IN_PLACE, columns, size(columns), MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
      do k = first, last
        columns(k, k) = columns(k, k) - 1
      end do
      squares = squares + sum(columns**2)
      deallocate (columns)
    end do
    orthogonality = sqrt(squares)
  end function

  !> Returns this process's rows of A B. The processes send their rows of B one after the other.
  function multiplied(a, b) result(c)
    type(matrix), intent(in) :: a, b
    real(real64), allocatable :: c(:, :), rows(:, :)
    integer :: process, processes, k, first, last, height

    call MPI_Comm_rank(MPI_COMM_WORLD, process)
    call MPI_Comm_size(MPI_COMM_WORLD, processes)
    allocate (c(held_rows(a), b%desc(4)))
    c = 0
    height = b%desc(5)
    do k = 0, processes - 1
      first = k*height + 1
      last = min(first + height - 1, b%desc(3))
      if (first > last) exit
      allocate (rows(last - first + 1, b%desc(4)))
      if (k == process) rows(:, :) = held(b)
      call MPI_Bcast(rows, size(rows), MPI_DOUBLE_PRECISION, k, MPI_COMM_WORLD)
      c = c + matmul(a%local(:size(c, 1), first:last), rows)
      deallocate (rows)
    end do
  end function

  !> Returns the rows that this process holds. (Where it holds none, the local array has one.)
  function held(a)
    type(matrix), intent(in) :: a
    real(real64), allocatable :: held(:, :)

    held = a%local(:held_rows(a), :)
  end function

  integer function held_rows(a)
    type(matrix), intent(in) :: a
    integer, external :: numroc
    integer :: process, processes

    call MPI_Comm_rank(MPI_COMM_WORLD, process)
    call MPI_Comm_size(MPI_COMM_WORLD, processes)
    held_rows = numroc(a%desc(3), a%desc(5), process, 0, processes)
  end function

  !> Returns the Frobenius norm of a matrix from the rows of this process; a NaN if an element is a NaN.
  real(real64) function norm(rows)
    real(real64), intent(in) :: rows(:, :)
    real(real64) :: mine, total

    mine = sum(rows**2)
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    norm = sqrt(total)
  end function

end module residuals
