! SPDX-License-Identifier: BSD-3-Clause
!> Residuals of matrices in block rows. Each process multiplies its own rows, without ScaLAPACK and redistribution.
module residuals
  use, intrinsic :: iso_fortran_env, only: real64
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
  use mpi_f08, only: MPI_Allreduce, MPI_Bcast, MPI_COMM_WORLD, MPI_DOUBLE_PRECISION, MPI_IN_PLACE, MPI_MAX, MPI_SUM
  implicit none
  private

  public :: block_rows, eigen_residuals, gathered, new_block_rows, norm, solve_residual

  !> Process p holds the existing rows among p*height + 1 to (p + 1)*height.
  type :: block_rows
    integer :: n, processes, process, height
  contains
    procedure :: first
    procedure :: held
  end type

contains

  type(block_rows) function new_block_rows(n, processes, process) result(rows)
    integer, intent(in) :: n, processes, process

    rows = block_rows(n, processes, process, (n + processes - 1)/processes)
  end function

  pure integer function first(self, process)
    class(block_rows), intent(in) :: self
    integer, intent(in) :: process

    first = min(process*self%height, self%n) + 1
  end function

  pure integer function held(self, process)
    class(block_rows), intent(in) :: self
    integer, intent(in) :: process

    held = self%first(process + 1) - self%first(process)
  end function

  !> Returns the whole vector. Each process passes the part of its rows.
  function gathered(rows, part) result(whole)
    type(block_rows), intent(in) :: rows
    real(real64), intent(in) :: part(:)
    real(real64) :: whole(rows%n)
    integer :: first, held

    first = rows%first(rows%process)
    held = rows%held(rows%process)
    whole = 0
    whole(first:first + held - 1) = part(:held)
    call MPI_Allreduce(MPI_IN_PLACE, whole, rows%n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function

  !> Returns the maximum norm of A, the maximum row sum.
  real(real64) function norm(rows, a)
    type(block_rows), intent(in) :: rows
    real(real64), intent(in) :: a(:, :)
    integer :: i

    norm = 0
    do i = 1, rows%held(rows%process)
      norm = max(norm, sum(abs(a(i, :))))
    end do
    norm = maximum(norm)
  end function

  !> Returns ||A x - b|| / (||A|| ||x||) in the maximum norm. x is the whole vector, b the local part.
  real(real64) function solve_residual(rows, a, x, b)
    type(block_rows), intent(in) :: rows
    real(real64), intent(in) :: a(:, :), x(:), b(:)
    integer :: i

    solve_residual = 0
    do i = 1, rows%held(rows%process)
      solve_residual = nan_max(solve_residual, abs(sum(a(i, :)*x) - b(i)))
    end do
    solve_residual = maximum(solve_residual)/(norm(rows, a)*maxval(abs(x)))
  end function

  !> Sets `residual` to the maximum ||A v - lambda v||_2 / ||A||, and `orthogonality` to ||V V^T - I||_F.
  subroutine eigen_residuals(rows, a, v, lambda, residual, orthogonality)
    type(block_rows), intent(in) :: rows
    real(real64), intent(in) :: a(:, :), v(:, :), lambda(:)
    real(real64), intent(out) :: residual, orthogonality
    real(real64), allocatable :: rows_of_p(:, :), product(:, :), gram(:, :)
    real(real64) :: squares(rows%n)
    integer :: p, i, k, held, at

    held = rows%held(rows%process)
    allocate (product(held, rows%n))
    do k = 1, rows%n
      product(:, k) = -lambda(k)*v(:held, k)
    end do
    orthogonality = 0
    do p = 0, rows%processes - 1
      call broadcast(rows, v, p, rows_of_p)
      at = rows%first(p)
      product = product + matmul(a(:held, at:at + rows%held(p) - 1), rows_of_p)
      allocate (gram(held, rows%held(p)))
      gram(:, :) = matmul(v(:held, :), transpose(rows_of_p))
      if (p == rows%process) then
        do i = 1, held
          gram(i, i) = gram(i, i) - 1
        end do
      end if
      orthogonality = orthogonality + sum(gram**2)
      deallocate (gram)
    end do
    squares = sum(product**2, dim=1)
    call MPI_Allreduce(MPI_IN_PLACE, squares, rows%n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    residual = 0
    do k = 1, rows%n
      residual = nan_max(residual, sqrt(squares(k)))
    end do
    residual = residual/norm(rows, a)
    call MPI_Allreduce(MPI_IN_PLACE, orthogonality, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    orthogonality = sqrt(orthogonality)
  end subroutine

  !> Broadcasts the rows of process p.
  subroutine broadcast(rows, a, p, rows_of_p)
    type(block_rows), intent(in) :: rows
    real(real64), intent(in) :: a(:, :)
    integer, intent(in) :: p
    real(real64), allocatable, intent(out) :: rows_of_p(:, :)

    allocate (rows_of_p(rows%held(p), rows%n))
    if (p == rows%process) rows_of_p(:, :) = a(:rows%held(p), :)
    call MPI_Bcast(rows_of_p, size(rows_of_p), MPI_DOUBLE_PRECISION, p, MPI_COMM_WORLD)
  end subroutine

  !> Returns the maximum, or the largest number if y is a NaN: MAX may ignore a NaN.
  pure real(real64) function nan_max(x, y)
    real(real64), intent(in) :: x, y

    nan_max = max(x, y)
    if (ieee_is_nan(y)) nan_max = huge(y)
  end function

  real(real64) function maximum(x)
    real(real64), intent(in) :: x

    maximum = x
    call MPI_Allreduce(MPI_IN_PLACE, maximum, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  end function

end module residuals
