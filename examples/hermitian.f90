! SPDX-License-Identifier: BSD-3-Clause
!> Block-cyclic Hermitian matrices, of which only the lower triangle is stored, and their generalised eigenproblem. The
!! matrices are those of a ring of atoms, whose eigenvalues are known.
module hermitian
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  public :: matrix, new_matrix, ring, fill, solve, complete, trace_of_product

  !> The local part of a matrix.
  type :: matrix
    integer :: desc(9) = -1
    complex(real64), allocatable :: local(:, :)
    integer, allocatable :: row(:), column(:)  ! global indices of the local rows and columns
  end type

  !> The matrix of a ring with one orbital per atom: its diagonal, and the element of two neighbours. With each further atom
  !! between two orbitals, elements decay, and they get a phase by the wave vector (0 to 1/2, in units of the reciprocal
  !! vector of the ring).
  type :: ring
    integer :: atoms
    real(real64) :: diagonal, coupling, wave
  contains
    procedure :: element
    procedure :: eigenvalues
  end type

  real(real64), parameter :: two_pi = 8*atan(1.0_real64), decay = 0.5_real64
  complex(real64), parameter :: one = 1, zero = 0

contains

  pure complex(real64) function element(self, i, j)
    class(ring), intent(in) :: self
    integer, intent(in) :: i, j
    integer :: distance

    distance = min(modulo(i - j, self%atoms), modulo(j - i, self%atoms))
    if (distance == 0) then
      element = self%diagonal
    else if (2*distance == self%atoms) then
      element = zero  ! on opposite sides of the ring
    else
      element = self%coupling*decay**(distance - 1)*exp(cmplx(0, two_pi*self%wave*distance/self%atoms, real64))
      if (modulo(j - i, self%atoms) == distance) element = conjg(element)
    end if
  end function

  !> Returns the eigenvalues in the order of the distances of their eigenvectors from the wave vector: wave, 1 - wave,
  !! 1 + wave, 2 - wave ...
  pure function eigenvalues(self)
    class(ring), intent(in) :: self
    real(real64) :: eigenvalues(self%atoms), angle
    integer :: k, d

    do k = 1, self%atoms
      angle = two_pi*(k/2 - (-1)**k*self%wave)/self%atoms
      eigenvalues(k) = self%diagonal + 2*self%coupling*sum([(decay**(d - 1)*cos(d*angle), d=1, (self%atoms - 1)/2)])
    end do
  end function

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
  subroutine fill(a, of)
    type(matrix), intent(inout) :: a
    type(ring), intent(in) :: of
    integer :: i, j

    do j = 1, size(a%column)
      do i = 1, size(a%row)
        if (a%row(i) >= a%column(j)) a%local(i, j) = of%element(a%row(i), a%column(j))
      end do
    end do
  end subroutine

  !> Solves H c = E S c. Returns all energies, and the lower triangle of the density matrix P, the sum of c c^H over the
  !! lower half of the states. Overwrites H and S.
  subroutine solve(h, s, energies, p)
    type(matrix), intent(inout) :: h, s, p
    real(real64), intent(out) :: energies(:)
    type(matrix) :: c
    complex(real64) :: wanted(1)
    complex(real64), allocatable :: work(:)
    real(real64) :: scale, real_wanted(1)
    real(real64), allocatable :: real_work(:)
    integer :: n, occupied, integers_wanted(1), info
    integer, allocatable :: integers(:)
    external :: pzheevd, pzhegst, pzherk, pzpotrf, pztrsm

    n = size(energies)
    occupied = n/2
    call pzpotrf('L', n, s%local, 1, 1, s%desc, info)
    if (info /= 0) error stop 'lattice: PZPOTRF failed'
    call pzhegst(1, 'L', n, h%local, 1, 1, h%desc, s%local, 1, 1, s%desc, scale, info)
    if (info /= 0) error stop 'lattice: PZHEGST failed'
    c = h
    call pzheevd('V', 'L', n, h%local, 1, 1, h%desc, energies, c%local, 1, 1, c%desc, &
                 wanted, -1, real_wanted, -1, integers_wanted, -1, info)
    allocate (work(int(wanted(1))), real_work(int(real_wanted(1))), integers(integers_wanted(1)))
    call pzheevd('V', 'L', n, h%local, 1, 1, h%desc, energies, c%local, 1, 1, c%desc, &
                 work, size(work), real_work, size(real_work), integers, size(integers), info)
    if (info /= 0) error stop 'lattice: PZHEEVD failed'
    energies = scale*energies
    call pztrsm('L', 'L', 'C', 'N', n, occupied, one, s%local, 1, 1, s%desc, c%local, 1, 1, c%desc)
    call pzherk('L', 'N', n, occupied, 1.0_real64, c%local, 1, 1, c%desc, 0.0_real64, p%local, 1, 1, p%desc)
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

  !> Returns Tr(P M). Reads all elements of P.
  real(real64) function trace_of_product(p, m)
    type(matrix), intent(in) :: p
    type(ring), intent(in) :: m
    integer :: i, j
    real(real64) :: total(1)
    external :: dgsum2d

    total = 0
    do j = 1, size(p%column)
      do i = 1, size(p%row)
        total = total + real(p%local(i, j)*m%element(p%column(j), p%row(i)), real64)
      end do
    end do
    call dgsum2d(p%desc(2), 'All', ' ', 1, 1, total, 1, -1, -1)
    trace_of_product = total(1)
  end function

end module hermitian
