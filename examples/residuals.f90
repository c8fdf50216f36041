! SPDX-License-Identifier: BSD-3-Clause
!> Residuals in the Frobenius norm, computed on the grid of the application without redistribution.
module residuals
  use, intrinsic :: iso_fortran_env, only: real64
  use distribution, only: matrix
  implicit none
  private

  public :: solve_residual, eigen_residual, orthogonality

contains

  !> Returns ||A x - b|| / (||A|| ||x||).
  real(real64) function solve_residual(a, x, b)
    type(matrix), intent(in) :: a, x, b
    type(matrix) :: r

    r = b
    call multiply_and_subtract('N', a, x, r)
    solve_residual = norm(r)/(norm(a)*norm(x))
  end function

  !> Returns ||A V - V Lambda|| / ||A||. Each process holds whole rows of V.
  real(real64) function eigen_residual(a, v, lambda)
    type(matrix), intent(in) :: a, v
    real(real64), intent(in) :: lambda(:)
    type(matrix) :: r
    integer :: k

    r = v
    do k = 1, size(lambda)
      r%local(:, k) = lambda(k)*v%local(:, k)
    end do
    call multiply_and_subtract('N', a, v, r)
    eigen_residual = norm(r)/norm(a)
  end function

  !> Returns ||V^T V - I||.
  real(real64) function orthogonality(v)
    type(matrix), intent(in) :: v
    type(matrix) :: r
    external :: pdlaset

    r = v
    call pdlaset('All', r%desc(3), r%desc(4), 0.0_real64, 1.0_real64, r%local, 1, 1, r%desc)
    call multiply_and_subtract('T', v, v, r)
    orthogonality = norm(r)
  end function

  !> C := op(A) B - C for square matrices A.
  subroutine multiply_and_subtract(op, a, b, c)
    character, intent(in) :: op
    type(matrix), intent(in) :: a, b
    type(matrix), intent(inout) :: c
    external :: pdgemm

    call pdgemm(op, 'N', c%desc(3), c%desc(4), a%desc(3), 1.0_real64, a%local, 1, 1, a%desc, b%local, 1, 1, b%desc, &
                -1.0_real64, c%local, 1, 1, c%desc)
  end subroutine

  !> Returns the Frobenius norm; a NaN if an element is a NaN.
  real(real64) function norm(a)
    type(matrix), intent(in) :: a
    real(real64), external :: pdlange
    real(real64) :: unused(1)

    norm = pdlange('F', a%desc(3), a%desc(4), a%local, 1, 1, a%desc, unused)
  end function

end module residuals
