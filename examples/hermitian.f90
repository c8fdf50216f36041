! SPDX-License-Identifier: BSD-3-Clause
!> Block-cyclic Hermitian matrices, of which only the lower triangle is stored, and their generalised eigenproblem.
module hermitian
  use, intrinsic :: iso_fortran_env, only: real64
  use graphene, only: element, supercell
  implicit none
  private

  public :: matrix, new_matrix, fill, solve, complete, trace_of_product, largest_difference

  !> The local part of a matrix.
  type :: matrix
    integer :: desc(9) = -1
    complex(real64), allocatable :: local(:, :)
    integer, allocatable :: row(:), column(:)  ! global indices of the local rows and columns
  end type

  complex(real64), parameter :: one = 1, zero = 0

contains

  !> Returns an n x n matrix of zeros in square blocks. The local array has at least one row and one column.
  function new_matrix(grid, n, block) result(new)
    integer, intent(in) :: grid, n, block
    type(matrix) :: new
    external :: blacs_gridinfo, descinit
    integer, external :: indxl2g, numroc
    integer :: rows, columns, row, column, info, i

    call blacs_gridinfo(grid, rows, columns, row, column)
    new%row = [(indxl2g(i, block, row, 0, rows), i=1, numroc(n, block, row, 0, rows))]
    new%column = [(indxl2g(i, block, column, 0, columns), i=1, numroc(n, block, column, 0, columns))]
    allocate (new%local(max(1, size(new%row)), max(1, size(new%column))), source=zero)
    call descinit(new%desc, n, n, block, block, 0, 0, grid, size(new%local, 1), info)
    if (info /= 0) error stop 'lattice: DESCINIT failed'
  end function

  !> Sets the lower triangle. No routine reads the upper one.
  subroutine fill(a, of, cell)
    type(matrix), intent(inout) :: a
    procedure(element) :: of
    type(supercell), intent(in) :: cell
    integer :: i, j

    do j = 1, size(a%column)
      do i = 1, size(a%row)
        if (a%row(i) >= a%column(j)) a%local(i, j) = of(cell, a%row(i), a%column(j))
      end do
    end do
  end subroutine

  !> Solves H c = E S c. Returns all energies, and the lower triangle of the density matrix P, the sum of c c^H over the
  !! lower half of the states. Overwrites H and S.
  subroutine solve(h, s, energies, p)
    type(matrix), intent(inout) :: h, s, p
    real(real64), intent(out) :: energies(:)
    type(matrix) :: c
    real(real64) :: scale
    integer :: n, occupied, info
    external :: pzhegst, pzherk, pzpotrf, pztrsm

    n = size(energies)
    occupied = n/2
    call pzpotrf('L', n, s%local, 1, 1, s%desc, info)
    if (info /= 0) error stop 'lattice: PZPOTRF failed'
    call pzhegst(1, 'L', n, h%local, 1, 1, h%desc, s%local, 1, 1, s%desc, scale, info)
    if (info /= 0) error stop 'lattice: PZHEGST failed'
    c = h
    call standard_eigenproblem(h, energies, c)
    energies = scale*energies
    call pztrsm('L', 'L', 'C', 'N', n, occupied, one, s%local, 1, 1, s%desc, c%local, 1, 1, c%desc)
    call pzherk('L', 'N', n, occupied, 1.0_real64, c%local, 1, 1, c%desc, 0.0_real64, p%local, 1, 1, p%desc)
  end subroutine

  subroutine standard_eigenproblem(a, energies, z)
    type(matrix), intent(inout) :: a, z
    real(real64), intent(out) :: energies(:)
    complex(real64) :: wanted(1)
    complex(real64), allocatable :: work(:)
    real(real64) :: real_wanted(1)
    real(real64), allocatable :: real_work(:)
    integer :: n, integers_wanted(1), info
    integer, allocatable :: integers(:)
    external :: pzheevd

    n = size(energies)
    call pzheevd('V', 'L', n, a%local, 1, 1, a%desc, energies, z%local, 1, 1, z%desc, &
                 wanted, -1, real_wanted, -1, integers_wanted, -1, info)
    allocate (work(int(wanted(1))), real_work(int(real_wanted(1))), integers(integers_wanted(1)))
    call pzheevd('V', 'L', n, a%local, 1, 1, a%desc, energies, z%local, 1, 1, z%desc, &
                 work, size(work), real_work, size(real_work), integers, size(integers), info)
    if (info /= 0) error stop 'lattice: PZHEEVD failed'
  end subroutine

  !> Sets the upper triangle without xredist, by a transposed copy of the whole matrix.
  subroutine complete(a)
    type(matrix), intent(inout) :: a
    type(matrix) :: work
    integer :: i, j
    external :: pztranc

    work = a
    call pztranc(a%desc(3), a%desc(4), one, a%local, 1, 1, a%desc, zero, work%local, 1, 1, work%desc)
    do j = 1, size(a%column)
      do i = 1, size(a%row)
        if (a%row(i) < a%column(j)) a%local(i, j) = work%local(i, j)
      end do
    end do
  end subroutine

  !> Returns Tr(P M) for a Hermitian M. Reads all elements of P.
  real(real64) function trace_of_product(p, of, cell)
    type(matrix), intent(in) :: p
    procedure(element) :: of
    type(supercell), intent(in) :: cell
    integer :: i, j
    real(real64) :: total(1)
    external :: dgsum2d

    total = 0
    do j = 1, size(p%column)
      do i = 1, size(p%row)
        total = total + real(p%local(i, j)*of(cell, p%column(j), p%row(i)), real64)
      end do
    end do
    call dgsum2d(p%desc(2), 'All', ' ', 1, 1, total, 1, -1, -1)
    trace_of_product = total(1)
  end function

  !> Returns the maximum difference of two elements on this process.
  real(real64) function largest_difference(a, b)
    type(matrix), intent(in) :: a, b

    largest_difference = maxval(abs(a%local - b%local))
  end function

end module hermitian
