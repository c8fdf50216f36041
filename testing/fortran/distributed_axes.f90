! SPDX-License-Identifier: BSD-3-Clause
!> The model of the tests of arrays: which elements a process holds along each axis, and what a local array contains.
module distributed_axes
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use columns_and_rows, only: process, processes
  use xredist, only: xredist_array_layout
  implicit none
  private

  public :: side, layout_of, counts_of, contents, random_in, random_side, permutation

  integer, parameter :: star = 0, block = 1, even = 2, cyclic = 3

  !> The distribution of an array, an entry for each axis. RANKS has one for each process of the grid.
  type :: side
    integer, allocatable :: kinds(:), blocks(:), grid(:), order(:), source(:), ranks(:)
  end type

  integer(int64) :: state = 20260101  ! of the random numbers, which are equal on all processes

contains

  integer function random_in(least, most)
    integer, intent(in) :: least, most

    state = modulo(state*1103515245_int64 + 12345_int64, 2147483648_int64)
    random_in = least + int(modulo(state/65536_int64, int(most - least + 1, int64)))
  end function

  !> Returns the numbers 1 to n in random order.
  function permutation(n) result(order)
    integer, intent(in) :: n
    integer :: order(n), k, other

    order = [(k, k=1, n)]
    do k = n, 2, -1
      other = random_in(1, k)
      order([k, other]) = order([other, k])
    end do
  end function

  type(side) function random_side(axes)
    integer, intent(in) :: axes
    integer :: k, which(axes)

    allocate (random_side%kinds(axes), random_side%blocks(axes), random_side%source(axes))
    allocate (random_side%grid(axes), source=1)
    which = permutation(axes)
    do k = 1, axes
      random_side%kinds(which(k)) = random_in(star, cyclic)
      random_side%blocks(which(k)) = random_in(1, 3)
      if (random_side%kinds(which(k)) /= star) &
        random_side%grid(which(k)) = random_in(1, processes/product(random_side%grid))
      random_side%source(which(k)) = random_in(0, random_side%grid(which(k)) - 1)
      if (random_side%kinds(which(k)) == even) random_side%source(which(k)) = 0
    end do
    random_side%order = permutation(axes)
    random_side%ranks = permutation(processes) - 1
    random_side%ranks = random_side%ranks(:product(random_side%grid))
  end function

  !> Returns the layout of the library. The list RANKS is an argument of the routines. The lists are expressions, because
  !! gfortran 11 sets the lower bounds of allocatable ones to 0.
  type(xredist_array_layout) function layout_of(of, shape)
    type(side), intent(in) :: of
    integer, intent(in), optional :: shape(:)
    character(len=200) :: pattern
    character(len=12) :: word
    integer :: k

    pattern = '('
    do k = 1, size(of%kinds)
      word = '*'
      if (of%kinds(k) == block) word = 'block'
      if (of%kinds(k) == even) word = 'EVEN'
      if (of%kinds(k) == cyclic) write (word, '(a, i0, a)') 'CYCLIC(', of%blocks(k), ')'
      if (k > 1) pattern = trim(pattern)//','
      pattern = trim(pattern)//' '//word
    end do
    pattern = trim(pattern)//')'
    layout_of = xredist_array_layout(pattern, (of%grid), order=(of%order), shape=shape, source=(of%source))
  end function

  !> Returns the indices, from 1, of the elements of an axis of n elements on this process.
  function held(of, axis, n) result(indices)
    type(side), intent(in) :: of
    integer, intent(in) :: axis, n
    integer, allocatable :: indices(:)
    integer :: position, g

    position = findloc(of%ranks, process, 1) - 1
    if (position < 0) then
      allocate (indices(0))
      return
    end if
    position = modulo(position/product(of%grid(axis + 1:)), of%grid(axis))
    indices = pack([(g, g=1, n)], [(owner(of, axis, n, g - 1) == position, g=1, n)])
  end function

  integer function owner(of, axis, n, g)
    type(side), intent(in) :: of
    integer, intent(in) :: axis, n, g
    integer :: length, longer, procs

    procs = of%grid(axis)
    select case (of%kinds(axis))
    case (even)
      length = n/procs
      longer = modulo(n, procs)
      if (g < longer*(length + 1)) then
        owner = g/(length + 1)
      else
        owner = longer + (g - longer*(length + 1))/length
      end if
    case (cyclic)
      owner = modulo(g/of%blocks(axis) + of%source(axis), procs)
    case default
      owner = modulo(g/max((n + procs - 1)/procs, 1) + of%source(axis), procs)
    end select
  end function

  !> Returns the number of local elements along each axis.
  function counts_of(of, whole) result(counts)
    type(side), intent(in) :: of
    integer, intent(in) :: whole(:)
    integer :: counts(size(whole)), k

    counts = [(size(held(of, k, whole(k))), k=1, size(whole))]
  end function

  !> Returns the elements of a local array with these extents, in the order of memory. An element of the subarray, which
  !! begins at FIRST, has the value FACTOR times its number plus SUMMAND. Others, and gaps, have the value OUTSIDE.
  function contents(of, whole, first, subarray, extents, factor, summand, outside) result(values)
    type(side), intent(in) :: of
    integer, intent(in) :: whole(:), first(:), subarray(:), extents(:)
    real(real64), intent(in) :: factor, summand, outside
    real(real64), allocatable :: values(:)
    integer :: indices(maxval(whole), size(whole)), counts(size(whole)), place, rest, axis, j, element(size(whole))
    real(real64) :: number

    counts = counts_of(of, whole)
    indices = 0
    do axis = 1, size(whole)
      indices(:counts(axis), axis) = held(of, axis, whole(axis))
    end do
    allocate (values(product(extents)), source=outside)
    do place = 1, size(values)
      rest = place - 1
      element = 0
      do j = 1, size(whole)
        axis = of%order(j)
        if (modulo(rest, extents(j)) < counts(axis)) &
          element(axis) = indices(modulo(rest, extents(j)) + 1, axis) - first(axis) + 1
        rest = rest/extents(j)
      end do
      if (any(element < 1 .or. element > subarray)) cycle
      number = 1
      do axis = 1, size(whole)
        number = 17*number + element(axis)
      end do
      values(place) = factor*number + summand
    end do
  end function

end module
