! SPDX-License-Identifier: BSD-3-Clause
!> The pi electrons of graphene in a basis that is not orthogonal: one orbital per atom, with matrix elements between
!! neighbours only (Saito, Dresselhaus & Dresselhaus, Physical Properties of Carbon Nanotubes, 1998, chapter 2).
!!
!! A supercell of cells x cells unit cells has 2*cells**2 orbitals. Wave vectors are in units of the supercell's reciprocal
!! vectors. H and the overlap S are Hermitian, and S is positive definite. The eigenvalues of H c = E S c are known: they
!! are the two bands of the unit cell, folded.
module graphene
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  public :: supercell, element, hamiltonian, overlap, bands

  type :: supercell
    integer :: cells
    real(real64) :: wave(2)
  contains
    procedure :: orbitals
  end type

  abstract interface
    !> Returns the matrix element of two orbitals, counted from 1.
    pure complex(real64) function element(cell, i, j)
      import :: real64, supercell
      class(supercell), intent(in) :: cell
      integer, intent(in) :: i, j
    end function
  end interface

  real(real64), parameter :: hopping = -3.033_real64         ! eV; the energy of one orbital is 0
  real(real64), parameter :: overlap_of_two = 0.129_real64
  real(real64), parameter :: two_pi = 8*atan(1.0_real64)
  integer, parameter :: first = 0, second = 1                ! the two atoms of a unit cell
  integer, parameter :: bond(2, 3) = reshape([0, 0, -1, 0, 0, -1], [2, 3])  ! unit cells from the first atom to its neighbours

contains

  pure integer function orbitals(self)
    class(supercell), intent(in) :: self

    orbitals = 2*self%cells**2
  end function

  pure complex(real64) function hamiltonian(cell, i, j)
    class(supercell), intent(in) :: cell
    integer, intent(in) :: i, j

    hamiltonian = hopping*bonds(cell, i, j)
  end function

  pure complex(real64) function overlap(cell, i, j)
    class(supercell), intent(in) :: cell
    integer, intent(in) :: i, j

    overlap = merge(1, 0, i == j) + overlap_of_two*bonds(cell, i, j)
  end function

  !> Returns all eigenvalues in ascending order.
  pure function bands(cell) result(energies)
    class(supercell), intent(in) :: cell
    real(real64), allocatable :: energies(:)
    real(real64) :: q(2), w
    integer :: i, j, k

    allocate (energies(0))
    do j = 0, cell%cells - 1
      do i = 0, cell%cells - 1
        q = two_pi*(cell%wave + [i, j])/cell%cells
        w = abs(sum([(exp(cmplx(0, dot_product(q, bond(:, k)), real64)), k=1, 3)]))
        energies = [energies, hopping*w/(1 + overlap_of_two*w), -hopping*w/(1 - overlap_of_two*w)]
      end do
    end do
    call sort(energies)
  end function

  !> Returns the sum of the phases of all bonds between orbital i and the images of orbital j.
  pure recursive complex(real64) function bonds(cell, i, j) result(total)
    class(supercell), intent(in) :: cell
    integer, intent(in) :: i, j
    integer :: from(2), to(2), k

    total = 0
    if (atom(i) == atom(j)) return
    if (atom(i) == second) then
      total = conjg(bonds(cell, j, i))
      return
    end if
    from = place(cell, i)
    do k = 1, 3
      to = from + bond(:, k)
      if (any(modulo(to, cell%cells) /= place(cell, j))) cycle
      total = total + exp(cmplx(0, two_pi*dot_product(cell%wave, (to - modulo(to, cell%cells))/cell%cells), real64))
    end do
  end function

  pure integer function atom(i)
    integer, intent(in) :: i

    atom = merge(first, second, mod(i, 2) == 1)
  end function

  !> Returns the unit cell of an orbital.
  pure function place(cell, i)
    class(supercell), intent(in) :: cell
    integer, intent(in) :: i
    integer :: place(2)

    place = [mod((i - 1)/2, cell%cells), (i - 1)/2/cell%cells]
  end function

  !> Sorts by insertion.
  pure subroutine sort(values)
    real(real64), intent(inout) :: values(:)
    integer :: i, place

    do i = 2, size(values)
      place = 1 + count(values(:i - 1) <= values(i))
      values(place:i) = cshift(values(place:i), -1)
    end do
  end subroutine

end module graphene
