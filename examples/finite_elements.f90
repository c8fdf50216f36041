! SPDX-License-Identifier: BSD-3-Clause
!> A symmetric positive definite matrix: bilinear finite elements for -div(k grad u) + c u on the unit square, with u = 0
!! on its edge and NODES x NODES free nodes. The coefficient k varies by a factor of about 30, and without any symmetry,
!! so that all eigenvalues differ.
module finite_elements
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  public :: assemble_rows

  integer, parameter :: stiffness(4, 4) = reshape([4, -1, -2, -1, -1, 4, -1, -2, -2, -1, 4, -1, -1, -2, -1, 4], [4, 4])  ! / 6
  integer, parameter :: mass(4, 4) = reshape([4, 2, 1, 2, 2, 4, 2, 1, 1, 2, 4, 2, 2, 1, 2, 4], [4, 4])  ! * h**2 / 36
  integer, parameter :: corner_x(4) = [0, 1, 1, 0], corner_y(4) = [0, 0, 1, 1]
  real(real64), parameter :: c = 10

contains

  !> Fills `rows` with the rows of the matrix from `first` on.
  pure subroutine assemble_rows(nodes, first, rows)
    integer, intent(in) :: nodes, first
    real(real64), intent(out) :: rows(:, :)
    real(real64) :: h, k
    integer :: ex, ey, i, j, node(4)

    rows = 0
    h = 1.0_real64/(nodes + 1)
    do ey = 0, nodes
      do ex = 0, nodes
        k = coefficient((ex + 0.5_real64)*h, (ey + 0.5_real64)*h)
        node = free_node(ex + corner_x, ey + corner_y, nodes)
        do j = 1, 4
          do i = 1, 4
            if (node(j) == 0 .or. node(i) < first .or. node(i) >= first + size(rows, 1)) cycle
            associate (element => rows(node(i) - first + 1, node(j)))
              element = element + k*stiffness(i, j)/6 + c*h*h*mass(i, j)/36
            end associate
          end do
        end do
      end do
    end do
  end subroutine

  !> The number of a node, from 1; 0 on the edge of the square.
  elemental integer function free_node(x, y, nodes)
    integer, intent(in) :: x, y, nodes

    free_node = 0
    if (min(x, y) >= 1 .and. max(x, y) <= nodes) free_node = (y - 1)*nodes + x
  end function

  !> A slope, and a stiff bump away from the middle.
  pure real(real64) function coefficient(x, y)
    real(real64), intent(in) :: x, y

    coefficient = 1 + 2*x + y*y + 25/(1 + 40*((x - 0.3_real64)**2 + (y - 0.6_real64)**2))**2
  end function

end module finite_elements
