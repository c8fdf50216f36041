! SPDX-License-Identifier: BSD-3-Clause
!> Tests all routines of module xredist that deal with plans: matrices of all types and ranks, exchanges under way, batches
!! and their members, and INFO after errors. With the name of an error as argument, the program makes this error without
!! INFO, which ends the program.
program plans
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_loc, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use columns_and_rows
  use xredist
  implicit none

  integer, parameter :: n = 13
  integer :: info, i, j
  integer, allocatable, target :: here(:, :), there(:, :)  ! values of the local elements: global indices
  character(len=32) :: error
  external :: blacs_get, blacs_gridmap, descinit

  call begin(n)
  here = reshape([((i + 100*indxl2g(j, 2, column, 0, processes), i=1, n), j=1, columns)], [n, columns])
  there = reshape([((indxl2g(i, 1, process, 0, processes) + 100*j, i=1, rows), j=1, n)], [rows, n])

  call get_command_argument(1, error)
  if (error /= '') call fail(trim(error))
  call types()
  call trapezoids()
  call operations()
  call converted()
  call completed()
  call partitions()
  call under_way()
  call batch()
  call groups()
  call errors()
  call finish('plans right')

contains

  ! Makes a plan without INFO: an error ends the program.
  function planned(type, uplo, diag) result(plan)
    character(len=1), intent(in) :: type, uplo, diag
    type(xredist_plan) :: plan
    call xredist_plan_from_descriptors(type, uplo, diag, n, n, 1, 1, descriptor_columns, 1, 1, descriptor_rows, &
                                       grid_rows, plan)
  end function

  subroutine types()
    type(xredist_plan) :: plan
    integer :: ai(n*columns), bi(rows*n)
    real(real32) :: as(n, columns), bs(rows, n)
    real(real64) :: ad(n, 1, columns), bd(rows, 1, n)
    complex(real32) :: ac(1, n, columns, 1), bc(1, rows, 1, n)
    complex(real64), allocatable :: az(:, :), bz(:, :)

    ai = reshape(here, [n*columns])
    plan = planned('I', 'A', 'N')
    call xredist_execute(plan, ai, bi)
    call expect('integer', all(bi == reshape(there, [rows*n])))
    ai = -ai
    call xredist_execute(plan, ai, bi, info)
    call expect('integer, again', info == 0 .and. all(bi == -reshape(there, [rows*n])))
    call xredist_plan_destroy(plan)

    as = real(here, real32)
    plan = planned('s', 'a', 'n')
    call xredist_execute(plan, as, bs)
    call expect('real', all(abs(bs - real(there, real32)) <= 0))
    call xredist_plan_destroy(plan)

    ad(:, 1, :) = here
    plan = planned('D', 'A', 'N')
    call xredist_execute(plan, ad, bd)
    call expect('double precision', all(abs(bd(:, 1, :) - there) <= 0))
    call xredist_plan_destroy(plan)

    ac(1, :, :, 1) = cmplx(here, -here, real32)
    plan = planned('C', 'A', 'N')
    call xredist_execute(plan, ac, bc)
    call expect('complex', all(abs(bc(1, :, 1, :) - cmplx(there, -there, real32)) <= 0))
    call xredist_plan_destroy(plan)

    allocate (az(n, columns), bz(rows, n))
    az(:, :) = cmplx(here, 2*here, real64)
    plan = planned('Z', 'A', 'N')
    call xredist_execute(plan, az, bz)
    call expect('double complex', all(abs(bz - cmplx(there, 2*there, real64)) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  subroutine operations()
    type(xredist_plan) :: plan
    complex(real64) :: a(n, columns), b(rows, n), expected(rows, n)

    a = cmplx(here, 2*here, real64)
    expected = reshape([((cmplx(j + 100*indxl2g(i, 1, process, 0, processes), &
                                -2*(j + 100*indxl2g(i, 1, process, 0, processes)), real64), i=1, rows), j=1, n)], [rows, n])
    call xredist_plan_operation_from_descriptors(xredist_operation('Z', 'Z', trans='C'), n, n, 1, 1, &
                                                 descriptor_columns, 1, 1, descriptor_rows, grid_rows, plan)
    call xredist_execute(plan, a, b)
    call expect('conjugate transposed', all(abs(b - expected) <= 0))
    call xredist_set_scalars(plan, (2.0_real64, 0.0_real64), (-1.0_real64, 0.0_real64))
    call xredist_execute(plan, a, b)
    call expect('scaled and added', all(abs(b - expected) <= 0))
    call xredist_plan_destroy(plan)
    call xredist_set_scalars(plan, 1.0_real64, 0.0_real64, info)
    call expect('no plan', info == -1)
  end subroutine

  ! B := beta B + alpha A^T from single into double precision.
  subroutine converted()
    type(xredist_plan) :: plan
    real(real32) :: a(n, columns)
    real(real64) :: b(rows, n)

    a = real(here, real32)
    b = there
    call xredist_plan_operation_from_descriptors(xredist_operation('S', 'D', trans='T'), n, n, 1, 1, descriptor_columns, &
                                                 1, 1, descriptor_rows, grid_rows, plan)
    call xredist_set_scalars(plan, 2.0_real64, -3.0_real64)
    call xredist_execute(plan, a, b)
    call expect('converted', all(abs(b - (2*transposed() - 3*there)) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  ! Completes a symmetric matrix from its lower triangle, whose elements are less than those of the upper one.
  subroutine completed()
    type(xredist_plan) :: plan
    integer :: b(rows, n)

    call xredist_plan_operation_from_descriptors(xredist_operation('I', 'I', uplo='L', mirror='S'), n, n, 1, 1, &
                                                 descriptor_columns, 1, 1, descriptor_rows, grid_rows, plan)
    call xredist_execute(plan, here, b)
    call expect('completed', all(b == min(there, transposed())))
    call xredist_plan_destroy(plan)
  end subroutine

  ! Returns `there` for the transposed matrix.
  function transposed()
    integer :: transposed(rows, n)

    transposed = reshape([((j + 100*indxl2g(i, 1, process, 0, processes), i=1, rows), j=1, n)], [rows, n])
  end function

  ! Copies blocks of columns to a partition: slabs of different widths, owned in descending order.
  subroutine partitions()
    type(xredist_plan) :: plan
    integer(c_int64_t), target :: bounds(processes + 1)
    integer(c_int), target :: owners(processes)
    integer :: k, first, width
    integer, allocatable :: b(:, :)

    bounds = [(int(k*n/processes, c_int64_t), k=0, processes)]
    owners = [(int(processes - k, c_int), k=1, processes)]
    first = int(bounds(processes - column))
    width = int(bounds(processes - column + 1)) - first
    allocate (b(n, width), source=-1)
    call xredist_plan_partition_from_descriptors(xredist_operation('I', 'I'), n, n, 1, 1, descriptor_columns, ib=1, jb=1, &
                                                 descb=descriptor_columns, &
                                                 cols_b=xredist_partition(size(owners, kind=c_int64_t), c_loc(bounds), &
                                                                          c_loc(owners)), &
                                                 ctxt=grid_columns, plan=plan)
    call xredist_execute(plan, here, b)
    call expect('partition', all(b == reshape([((i + 100*j, i=1, n), j=first + 1, first + width)], [n, width])))
    call xredist_plan_destroy(plan)
    bounds(2) = -1
    call xredist_plan_partition_from_descriptors(xredist_operation('I', 'I'), n, n, 1, 1, descriptor_columns, ib=1, jb=1, &
                                                 descb=descriptor_columns, &
                                                 cols_b=xredist_partition(size(owners, kind=c_int64_t), c_loc(bounds)), &
                                                 ctxt=grid_columns, plan=plan, info=info)
    call expect('wrong partition', info == -13)
  end subroutine

  subroutine trapezoids()
    type(xredist_plan) :: plan
    integer :: b(rows, n), i_global, k, l
    logical :: right
    character(len=1), parameter :: uplo(4) = ['U', 'U', 'L', 'L'], diag(4) = ['N', 'U', 'N', 'U']

    do k = 1, 4
      b = -1
      plan = planned('I', uplo(k), diag(k))
      call xredist_execute(plan, here, b)
      right = .true.
      do j = 1, n
        do l = 1, rows
          i_global = indxl2g(l, 1, process, 0, processes)
          right = right .and. b(l, j) == merge(there(l, j), -1, merge(i_global <= j, i_global >= j, uplo(k) == 'U') &
                                               .and. (diag(k) == 'N' .or. i_global /= j))
        end do
      end do
      call expect('trapezoid '//uplo(k)//diag(k), right)
      call xredist_plan_destroy(plan)
    end do
  end subroutine

  subroutine under_way()
    type(xredist_plan) :: plan
    type(xredist_request) :: first, second, none
    real(real64), asynchronous :: a(n, columns), b(rows, n), c(rows, n)
    logical :: done

    a = here
    plan = planned('D', 'A', 'N')
    call xredist_start(plan, a, b, first)
    call xredist_start(plan, a, c, second, info)
    call expect('start', info == 0)
    done = .false.
    do while (.not. done)
      call xredist_test(second, done)
    end do
    call expect('the second', all(abs(c - there) <= 0))
    call xredist_wait(first)
    call expect('the first', all(abs(b - there) <= 0))
    call xredist_test(first, done, info)
    call expect('a request that has ended', done .and. info == 0)
    call xredist_wait(none, info)
    call expect('a request that never started', info == 0)
    call xredist_plan_destroy(plan)
  end subroutine

  ! Copies there and back, and waits for the members from the last to the first.
  subroutine batch()
    type(xredist_plan) :: plan, back
    type(xredist_request) :: request
    real(real64), target :: a(n, columns, 3), b(rows, n, 3), c(n, columns)
    type(c_ptr) :: from(4), to(4)
    integer :: k
    logical :: done

    plan = planned('D', 'A', 'N')
    call xredist_plan_from_descriptors('D', 'A', 'N', n, n, 1, 1, descriptor_rows, 1, 1, descriptor_columns, grid_rows, back)
    from = c_null_ptr
    to = c_null_ptr
    b(:, :, 3) = there
    do k = 1, 3
      a(:, :, k) = k*here
    end do
    do k = 1, 2
      if (columns > 0) from(k) = c_loc(a(:, :, k))
      if (rows > 0) to(k) = c_loc(b(:, :, k))
    end do
    if (rows > 0) from(3) = c_loc(b(:, :, 3))
    if (columns > 0) to(3) = c_loc(c)
    call xredist_start_batch(3, [plan, plan, back], from, to, request)
    call xredist_wait_member(request, 3)
    call expect('third member', all(abs(c - here) <= 0))
    call xredist_wait_member(request, 2, info)
    call expect('second member', info == 0 .and. all(abs(b(:, :, 2) - 2*there) <= 0))
    done = .false.
    do while (.not. done)
      call xredist_test_member(request, 1, done, info)
    end do
    call expect('first member', info == 0 .and. all(abs(b(:, :, 1) - there) <= 0))
    call xredist_wait_member(request, 0, info)
    call expect('member 0', info == -2)
    call xredist_test_member(request, 4, done, info)
    call expect('member 4 of 3', info == -2)
    call xredist_wait(request)
    call xredist_plan_destroy(plan)
    call xredist_plan_destroy(back)
  end subroutine

  ! Copies one matrix to each process. A process knows only its own grid, and waits only for its own matrix.
  subroutine groups()
    type(xredist_plan) :: its(processes)
    type(xredist_request) :: request
    real(real64), target :: a(n, columns, processes), b(n, n)
    type(c_ptr) :: from(processes), to(processes)
    integer :: k, alone, descriptor(9), map(1, 1)

    do k = 1, processes
      a(:, :, k) = k*here
      from(k) = c_null_ptr
      if (columns > 0) from(k) = c_loc(a(:, :, k))
      to(k) = c_null_ptr
      map = k - 1
      call blacs_get(-1, 0, alone)
      call blacs_gridmap(alone, map, 1, 1, 1)
      descriptor = -1
      if (process == k - 1) then
        call descinit(descriptor, n, n, n, n, 0, 0, alone, n, info)
        to(k) = c_loc(b)
      end if
      call xredist_plan_from_descriptors('D', 'A', 'N', n, n, 1, 1, descriptor_columns, 1, 1, descriptor, grid_rows, its(k))
    end do
    call xredist_start_batch(processes, its, from, to, request)
    call xredist_wait_member(request, process + 1)
    do j = 1, n
      do i = 1, n
        call expect('own matrix', abs(b(i, j) - (process + 1)*(i + 100*j)) <= 0)
      end do
    end do
    call xredist_wait(request)
    do k = 1, processes
      call xredist_plan_destroy(its(k))
    end do
  end subroutine

  subroutine errors()
    type(xredist_plan) :: plan, none
    type(xredist_request) :: request
    integer :: wrong(9)
    integer, target :: a(1), b(1)

    wrong = descriptor_columns
    if (process == 0) wrong(5) = 0
    call xredist_plan_from_descriptors('D', 'A', 'N', n, n, 1, 1, wrong, 1, 1, descriptor_rows, grid_rows, plan, info)
    call expect('MB_', info == -805)
    call xredist_plan_from_descriptors('X', 'A', 'N', n, n, 1, 1, wrong, 1, 1, descriptor_rows, grid_rows, plan, info)
    call expect('TYPE', info == -1)
    call xredist_plan_from_descriptors('D', 'A', 'N', n, n, 1, 1, wrong, 1, 1, descriptor_rows, -1, plan, info)
    call expect('CTXT', info == -12)
    call xredist_execute(plan, a, b, info)
    call expect('no plan', info == -1)
    call xredist_start(plan, a, b, request, info)
    call expect('no plan to start', info == -1)
    call xredist_start_batch(2, [plan, none], [c_loc(a), c_loc(a)], [c_loc(b), c_loc(b)], request, info)
    call expect('no plans', info == -2)
    plan = planned('I', 'A', 'N')
    call xredist_start_batch(0, [plan], [c_loc(a)], [c_loc(b)], request, info)
    call expect('COUNT', info == -1)
    call xredist_start_batch(1, [plan], [c_loc(a)], [c_null_ptr], request, info)  ! each process has rows of B
    call expect('B', info == -4)
    call xredist_plan_destroy(plan)
    call xredist_set_context_option(grid_rows, 'buffers', '1M', info)
    call expect('NAME', info == -2)
    call xredist_set_context_option(grid_rows, 'buffer', 'much', info)
    call expect('VALUE', info == -3)
    call xredist_set_context_option(-1, 'buffer', '1M', info)
    call expect('CTXT of an option', info == -1)
    call xredist_set_context_option(grid_rows, 'buffer   ', '1M ')
  end subroutine

  subroutine fail(what)
    character(len=*), intent(in) :: what
    type(xredist_plan) :: plan
    type(xredist_request) :: request
    integer, target :: a(1), b(1)

    select case (what)
    case ('option')
      call xredist_set_context_option(grid_rows, 'buffer', 'much')
    case ('context')
      call xredist_set_context_option(-1, 'buffer', '1M')
    case ('plan')
      call xredist_execute(plan, a, b)
    case ('start')
      call xredist_start(plan, a, b, request)
    case ('plans')
      call xredist_start_batch(1, [plan], [c_loc(a)], [c_loc(b)], request)
    case ('array')
      plan = planned('I', 'A', 'N')
      call xredist_start_batch(1, [plan], [c_null_ptr], [c_loc(b)], request)
    case ('n')
      call xredist_plan_from_descriptors('D', 'A', 'N', n, n, 1, 1, descriptor_columns, 1, 2, descriptor_rows, grid_rows, plan)
    case ('member')
      plan = planned('I', 'A', 'N')
      call xredist_start(plan, here, there, request)
      call xredist_wait_member(request, 2)
    end select
  end subroutine

end program plans
