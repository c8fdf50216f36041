! SPDX-License-Identifier: BSD-3-Clause
!> Tests the local arrays and scalars that plans accept, and the errors of others, which INFO returns.
program arrays
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
  character(len=8), allocatable :: texts(:, :)
  type(pair), allocatable :: pairs(:, :)

  call begin(n)
  allocate (a(n, columns), b(rows, n), wide(2*rows, n), tall(n + 3, columns), narrow(n, columns), pointed(n, columns))
  allocate (pairs_of_reals(n, columns), pairs(n, columns), texts(n, columns))
  do j = 1, columns
    a(:, j) = [(i + 100*indxl2g(j, 2, column, 0, processes), i=1, n)]
  end do
  expected = reshape([((real(indxl2g(i, 1, process, 0, processes) + 100*j, real64), i=1, rows), j=1, n)], [rows, n])
  tall = -1
  tall(:n, :) = a
  pointed = a
  narrow = 0
  pairs_of_reals = 0
  call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D')

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
    call xredist_execute(plan, narrow, y, info=info)
    call refused_here(info, 'kind beside assumed size', 'a has elements of 4 bytes')
  end subroutine

  subroutine explicit_shape(lda, ca, ldb, x, y)
    integer, intent(in) :: lda, ca, ldb
    real(real64), intent(in) :: x(lda, ca)
    real(real64), intent(inout) :: y(ldb, n)

    call xredist_execute(plan, x, y)
    call arrived('explicit shape')
  end subroutine

  subroutine batches()
    type(xredist_job) :: jobs(3)
    real(real64), target, asynchronous :: c(rows, n)

    wide = -1
    jobs = [xredist_job(plan, a, b), xredist_job(plan, tall(:n, :), c), xredist_job(plan, pointed, wide(:rows, :), 2.0_real64)]
    call xredist_start(jobs, request)
    call xredist_wait(request)
    call arrived('first job')
    b = c
    call arrived('second job')
    b = wide(:rows, :)/2
    call arrived('third job, scaled')
    call xredist_start(jobs(1::2), request)
    call xredist_wait(request)
    call arrived('every second job')
    jobs(2) = xredist_job(plan, a)
    call xredist_start(jobs, request, info)
    call refused_here(info, 'no array for the second job', 'jobs(2): b is NULL on a process that holds a part of it')
    jobs(2) = xredist_job(plan, a, wide(1::2, :))
    call xredist_start(jobs, request, info)
    call refused_here(info, 'strided second job', 'jobs(2): b is not contiguous')
    jobs(2) = xredist_job(plan, a, c, beta=1_int32)
    call xredist_start(jobs, request, info)
    call refused(info, 'kind of a factor', 'jobs(2): beta is INTEGER of 4 bytes, where B of the plan is DOUBLE PRECISION')
    jobs(2) = xredist_job(plan, a, c)
    jobs(3) = xredist_job(plan, narrow, c)
    call xredist_start(jobs, request, info)
    call refused_here(info, 'kind of the third job', 'jobs(3): a has elements of 4 bytes, where the plan has elements of 8')
    call xredist_start(jobs(:0), request, info)
    call refused(info, 'no jobs', 'jobs is empty')
  end subroutine

  subroutine wrong()
    complex(real64), parameter :: two = 2

    call xredist_execute(plan, narrow, b, info=info)
    call refused_here(info, 'kind of A', 'a has elements of 4 bytes')
    call xredist_execute(plan, a, narrow, info=info)
    call refused_here(info, 'kind of B', 'b has elements of 4 bytes')
    call xredist_execute(plan, a(:, 2:), b, info=info)
    call refused_here(info, 'A lacks a column', 'a has')
    call xredist_execute(plan, a, b(:, :n - 1), info=info)
    call refused_here(info, 'B lacks a column', 'b has')
    call xredist_execute(plan, tall(:n - 1, :), b, info=info)
    call refused_here(info, 'A lacks a row', 'a ')
    call xredist_execute(plan, tall(:n, 2:), b, info=info)
    call refused_here(info, 'a section lacks a column', 'a ')
    call xredist_execute(plan, a, wide(1::2, :), info=info)
    call refused_here(info, 'strided B', 'b is not contiguous')
    call xredist_execute(plan, a, info=info)
    call refused_here(info, 'no B', 'b is NULL')
    call xredist_start(plan, a, wide(::2, :), request, info=info)
    call refused_here(info, 'strided B, under way', 'b is not contiguous')
    call xredist_start(plan, a(:, columns:1:-1), b, request, info=info)
    call refused_here(info, 'columns of A from last to first', 'a is not contiguous')
    call xredist_wait(request, info)
    call expect('nothing is under way', info == 0)
    call xredist_execute(plan, a, b, alpha=2.0_real32, info=info)
    call refused(info, 'factor of kind real32', 'alpha is REAL, where B of the plan is DOUBLE PRECISION')
    call xredist_execute(plan, a, b, alpha=2_int32, info=info)
    call refused(info, 'factor of kind int32', 'alpha is INTEGER of 4 bytes')
    call xredist_execute(plan, a, b, beta=2_int64, info=info)
    call refused(info, 'factor of kind int64', 'beta is INTEGER of 8 bytes')
    call xredist_execute(plan, a, b, alpha=two, info=info)
    call refused(info, 'complex factor', 'alpha is DOUBLE COMPLEX')
    call xredist_execute(plan, a, b, alpha=[2.0_real64], info=info)
    call refused(info, 'an array as factor', 'alpha is not a scalar of type DOUBLE PRECISION')
    call xredist_execute(plan, a, b)
    call arrived('after the errors')
    call xredist_execute(plan, pairs_of_reals, b, alpha=2.0_real64, info=info)
    call refused_here(info, 'another type of the right size, to be scaled', 'a is COMPLEX')
    call xredist_execute(plan, texts, b, alpha=2.0_real64, info=info)
    call refused_here(info, 'characters to be scaled', 'a is of another type')
    call xredist_execute(plan, a, b, alpha=2.0_real64)
    b = b/2
    call arrived('scaled')
    call xredist_execute(plan, a, b)
    call xredist_execute(plan, a, b, alpha=2.0_real64, beta=-1.0_real64)
    call arrived('scaled and added')
  end subroutine

end program arrays
