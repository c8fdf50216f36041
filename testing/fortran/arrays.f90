! SPDX-License-Identifier: BSD-3-Clause
!> Tests the local arrays and scalars that plans accept, and the errors of others, which INFO returns. With the name of an
!! error as argument, the program makes this error without INFO, which ends the program.
program arrays
  use, intrinsic :: iso_c_binding, only: c_loc, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use columns_and_rows
  use xredist
  implicit none

  type :: pair
    real(real32) :: first, second
  end type

  integer, parameter :: n = 13
  integer :: info, i, j
  type(xredist_plan) :: plan
  type(xredist_request) :: request
  real(real64), allocatable, asynchronous, target :: a(:, :), b(:, :)
  real(real64), allocatable :: expected(:, :)
  real(real64), pointer :: pointed(:, :)
  real(real64), allocatable, asynchronous, target :: wide(:, :)  ! has B in every second row
  real(real64), allocatable, asynchronous, target :: tall(:, :)  ! has A in its first rows
  real(real32), allocatable, target :: narrow(:, :)
  complex(real32), allocatable :: pairs_of_reals(:, :)
  type(pair), allocatable :: pairs(:, :)
  character(len=32) :: error

  call begin(n)
  allocate (a(n, columns), b(rows, n), wide(2*rows, n), tall(n + 3, columns), narrow(n, columns), pointed(n, columns))
  allocate (pairs_of_reals(n, columns), pairs(n, columns))
  do j = 1, columns
    a(:, j) = [(i + 100*indxl2g(j, 2, column, 0, processes), i=1, n)]
  end do
  expected = reshape([((real(indxl2g(i, 1, process, 0, processes) + 100*j, real64), i=1, rows), j=1, n)], [rows, n])
  tall = -1
  tall(:n, :) = a
  pointed = a
  narrow = 0
  pairs_of_reals = 0
  call xredist_plan_from_descriptors('D', 'A', 'N', n, n, 1, 1, descriptor_columns, 1, 1, descriptor_rows, grid_rows, plan)

  call get_command_argument(1, error)
  select case (error)
  case ('scalars_of_real')
    call xredist_set_scalars(plan, 2.0, 0.0)
  case ('scalars_of_integer')
    call xredist_set_scalars(plan, 2, 0)
  case ('kind_of_a')
    call xredist_execute(plan, narrow, b)
  case ('small_b')
    call xredist_execute(plan, a, b(:, :1))
  case ('strided_a')
    call xredist_start(plan, wide(1::2, :), b, request)
  case ('strided_b')
    call xredist_start(plan, a, wide(1::2, :), request)
  case ('member')
    call xredist_start_batch(2, [plan, plan], [xredist_array(a), xredist_array(a)], &
                             [xredist_array(b), xredist_array(b(:, 2:))], request)
  end select

  call right()
  call assumed_size(a, b)
  call explicit_shape(n, columns, rows, a, b)
  call batches()
  call wrong()
  call xredist_plan_destroy(plan)
  call finish('arrays right')

contains

  subroutine arrived(what)
    character(len=*), intent(in) :: what

    call expect(what, all(abs(b - expected) <= 0))
    b = -1
  end subroutine

  subroutine right()
    real(real64) :: flat(n*columns), spare(5 + rows*n)

    call xredist_execute(plan, a, b)
    call arrived('allocatable')
    call xredist_execute(plan, pointed, b)
    call arrived('pointer')
    flat = reshape(a, [n*columns])
    call xredist_execute(plan, flat, b)
    call arrived('one dimension')
    call xredist_execute(plan, reshape(a, [n, 1, columns]), b)
    call arrived('three dimensions, an expression')
    call xredist_execute(plan, tall(:n, :), b)
    call arrived('section of whole columns of a larger array')
    wide = -1
    call xredist_execute(plan, a, wide(rows + 1:, :))
    b = wide(rows + 1:, :)
    call arrived('B as such a section')
    call expect('rows beside it', all(abs(wide(:rows, :) + 1) <= 0))
    call xredist_execute(plan, a, spare(6:))
    b = reshape(spare(6:), [rows, n])
    call arrived('the end of a work array')
    spare = -1
    call xredist_execute(plan, a, spare(6))
    b = reshape(spare(6:), [rows, n])
    call arrived('an element of a work array')
    call expect('elements before it', all(abs(spare(:5) + 1) <= 0))
    pairs = reshape(transfer(a, pairs), shape(a))
    call xredist_execute(plan, pairs, b)
    call arrived('a derived type of the right size')
    call xredist_start(plan, tall(:n, :), b, request)
    tall(n + 1:, :) = -2
    call xredist_wait(request)
    call arrived('section of a larger array, under way')
  end subroutine

  ! The number of elements is unknown.
  subroutine assumed_size(x, y)
    real(real64), intent(in), asynchronous :: x(n, *)
    real(real64), intent(inout), asynchronous :: y(*)

    call xredist_execute(plan, x, y)
    call arrived('assumed size')
    call xredist_start(plan, x, y, request)
    call xredist_wait(request)
    call arrived('assumed size, under way')
    call xredist_execute(plan, narrow, y, info)
    call expect('kind beside assumed size', info == -2)
  end subroutine

  subroutine explicit_shape(lda, ca, ldb, x, y)
    integer, intent(in) :: lda, ca, ldb
    real(real64), intent(in) :: x(lda, ca)
    real(real64), intent(inout) :: y(ldb, n)

    call xredist_execute(plan, x, y)
    call arrived('explicit shape')
  end subroutine

  subroutine batches()
    type(xredist_array) :: from(3), to(3)
    real(real64), target, asynchronous :: c(rows, n)

    wide = -1
    from = [xredist_array(a), xredist_array(tall(:n, :)), xredist_array(pointed)]
    to = [xredist_array(b), xredist_array(c), xredist_array(wide(:rows, :))]
    call xredist_start_batch(3, [plan, plan, plan], from, to, request)
    call xredist_wait(request)
    call arrived('first member')
    b = c
    call arrived('second member')
    b = wide(:rows, :)
    call arrived('third member')
    call xredist_start_batch(1, [plan], [c_loc(a)], [c_loc(b)], request)
    call xredist_wait(request)
    call arrived('addresses')
    to(2) = xredist_array()
    call xredist_start_batch(3, [plan, plan, plan], from, to, request, info)
    call expect('no array for the second member', info == -4)
    to(2) = xredist_array(wide(1::2, :))
    call xredist_start_batch(3, [plan, plan, plan], from, to, request, info)
    call expect('strided second member', info == -4)
    from(3) = xredist_array(narrow)
    to(2) = xredist_array(c)
    call xredist_start_batch(3, [plan, plan, plan], from, to, request, info)
    call expect('kind of the third member', info == -3)
  end subroutine

  subroutine wrong()
    call xredist_execute(plan, narrow, b, info)
    call expect('kind of A', info == -2)
    call xredist_execute(plan, a, narrow, info)
    call expect('kind of B', info == -3)
    call xredist_execute(plan, a(:, 2:), b, info)
    call expect('A lacks a column', info == -2)
    call xredist_execute(plan, a, b(:, :n - 1), info)
    call expect('B lacks a column', info == -3)
    call xredist_execute(plan, tall(:n - 1, :), b, info)
    call expect('A lacks a row', info == -2)
    call xredist_execute(plan, tall(:n, 2:), b, info)
    call expect('a section lacks a column', info == -2)
    call xredist_execute(plan, a, wide(1::2, :), info)
    call expect('strided B', info == -3)
    call xredist_start(plan, a, wide(::2, :), request, info)
    call expect('strided B, under way', info == -3)
    call xredist_start(plan, a(:, columns:1:-1), b, request, info)
    call expect('columns of A from last to first', info == -2)
    call xredist_wait(request, info)
    call expect('nothing is under way', info == 0)
    call xredist_set_scalars(plan, 2.0_real32, 0.0_real32, info)
    call expect('scalars of kind real32', info == -2)
    call xredist_set_scalars(plan, 2_int32, 0_int32, info)
    call expect('scalars of kind int32', info == -2)
    call xredist_set_scalars(plan, 2_int64, 0_int64, info)
    call expect('scalars of kind int64', info == -2)
    call xredist_set_scalars(plan, (2.0_real64, 0.0_real64), (0.0_real64, 0.0_real64), info)
    call expect('complex scalars', info == -2)
    call xredist_execute(plan, a, b)
    call arrived('after the errors')
    call xredist_set_scalars(plan, 2.0_real64, 0.0_real64)
    call xredist_execute(plan, pairs_of_reals, b, info)
    call expect('another type of the right size, to be scaled', info == -2)
    call xredist_execute(plan, a, b)
    b = b/2
    call arrived('scaled')
  end subroutine

end program arrays
