! SPDX-License-Identifier: BSD-3-Clause
!> Tests all routines of module xredist that deal with plans: matrices of all types and ranks, exchanges under way, batches
!! and their members, and INFO after errors.
program plans
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: real32, real64
  use columns_and_rows
  use xredist
  implicit none

  integer, parameter :: n = 13
  integer :: info, i, j
  integer, allocatable, target :: here(:, :), there(:, :)  ! values of the local elements: global indices
  type(xredist_plan) :: early
  external :: blacs_get

  call xredist_plan_create(early, 0, n, n, xredist_layout(1, 1, n, n), xredist_layout(1, 1, n, n), 'I', info=info)
  call refused(info, 'before MPI_Init', 'comm: MPI is not initialised')
  call begin(n)
  here = reshape([((i + 100*indxl2g(j, 2, column, 0, processes), i=1, n), j=1, columns)], [n, columns])
  there = reshape([((indxl2g(i, 1, process, 0, processes) + 100*j, i=1, rows), j=1, n)], [rows, n])

  call types()
  call trapezoids()
  call operations()
  call converted()
  call completed()
  call partitions()
  call over_mpi()
  call under_way()
  call tuned()
  call errors()
  call finish('plans right')

contains

  ! Makes a plan without INFO: an error ends the program.
  function planned(type, uplo, diag) result(plan)
    character(len=1), intent(in) :: type, uplo, diag
    type(xredist_plan) :: plan
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, type, uplo=uplo, diag=diag)
  end function

  subroutine types()
    type(xredist_plan) :: plan
    real(real32) :: as(n, columns), bs(rows, n)
    complex(real32) :: ac(1, n, columns, 1), bc(1, rows, 1, n)

    as = real(here, real32)
    plan = planned('s', 'a', 'n')
    call xredist_execute(plan, as, bs, info=info)
    call expect('real', info == 0 .and. all(abs(bs - real(there, real32)) <= 0))
    call xredist_plan_destroy(plan)

    ac(1, :, :, 1) = cmplx(here, -here, real32)
    plan = planned('C', 'A', 'N')
    call xredist_execute(plan, ac, bc)
    call expect('complex', all(abs(bc(1, :, 1, :) - cmplx(there, -there, real32)) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  subroutine operations()
    type(xredist_plan) :: plan
    complex(real64) :: a(n, columns), b(rows, n), expected(rows, n)

    a = cmplx(here, 2*here, real64)
    expected = cmplx(transposed(), -2*transposed(), real64)
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'Z', trans='C')
    call xredist_execute(plan, a, b)
    call expect('conjugate transposed', all(abs(b - expected) <= 0))
    call xredist_execute(plan, a, b, alpha=(2.0_real64, 0.0_real64), beta=(-1.0_real64, 0.0_real64))
    call expect('scaled and added', all(abs(b - expected) <= 0))
    call xredist_plan_destroy(plan)
    call xredist_execute(plan, a, b, info=info)
    call refused(info, 'no plan', 'plan is not a plan')
  end subroutine

  ! B := beta B + alpha A^T from single into double precision.
  subroutine converted()
    type(xredist_plan) :: plan
    real(real32) :: a(n, columns)
    real(real64) :: b(rows, n)

    a = real(here, real32)
    b = there
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'S', type_b='D', trans='T')
    call xredist_execute(plan, a, b, alpha=2.0_real64, beta=-3.0_real64)
    call expect('converted', all(abs(b - (2*transposed() - 3*there)) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  ! Completes a symmetric matrix from its lower triangle, whose elements are less than those of the upper one.
  subroutine completed()
    type(xredist_plan) :: plan
    integer :: b(rows, n)

    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'I', uplo='L', mirror='S')
    call xredist_execute(plan, here, b)
    call expect('completed', all(b == min(there, transposed())))
    call xredist_plan_destroy(plan)
  end subroutine

  ! Returns `there` for the transposed matrix.
  function transposed()
    integer :: transposed(rows, n)

    transposed = reshape([((j + 100*indxl2g(i, 1, process, 0, processes), i=1, rows), j=1, n)], [rows, n])
  end function

  ! Copies to partitions: slabs of different widths, owned in descending order. LLD_ is the number of rows of a partition,
  ! and not of blocks. The local arrays have no other rows.
  subroutine partitions()
    type(xredist_plan) :: plan
    integer(c_int64_t) :: bounds(processes + 1)
    integer :: owners(processes)
    integer :: k, first, width, local_rows, local_columns, slabs(9)
    integer, allocatable :: b(:, :)

    bounds = [(int(k*n/processes, c_int64_t), k=0, processes)]
    owners = [(processes - k, k=1, processes)]
    first = int(bounds(processes - process))
    width = int(bounds(processes - process + 1)) - first
    call xredist_descinit(slabs, n, n, 1, 3, 0, 0, grid_rows, rows=bounds, owners_rows=owners)
    call expect('LLD_ of slabs', slabs(9) == max(1, width) .and. slabs(5) == 0 .and. slabs(6) == 3)
    call xredist_local_size(slabs, local_rows, local_columns, rows=bounds, owners_rows=owners)
    call expect('size of slabs of rows', local_rows == width .and. local_columns == n)
    call xredist_local_size(xredist_layout(processes, 1, 0, 3), n, n, process, local_rows, local_columns, rows=bounds, &
                            owners_rows=owners)
    call expect('size of slabs of rows, by layout', local_rows == width .and. local_columns == n)
    allocate (b(local_rows, n), source=-1)
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, slabs, 'I', rows_b=bounds, owners_rows_b=owners)
    call xredist_execute(plan, here, b)
    call expect('slabs of rows', all(b == reshape([((i + 100*j, i=first + 1, first + width), j=1, n)], [width, n])))
    call xredist_plan_destroy(plan)

    call xredist_descinit(slabs, n, n, n, -1, 0, -1, grid_columns, cols=bounds, owners_cols=owners, info=info)
    call expect('descriptor of slabs', info == 0 .and. all(slabs == [1, grid_columns, n, n, n, 0, 0, 0, n]))
    call xredist_local_size(slabs, local_rows, local_columns, cols=bounds, owners_cols=owners)
    call expect('size of slabs', local_rows == n .and. local_columns == width)
    b = reshape([(-1, k=1, n*width)], [n, width])
    call xredist_plan_create(plan, grid_columns, n, n, descriptor_columns, slabs, 'I', cols_b=bounds, owners_cols_b=owners)
    call xredist_execute(plan, here, b)
    call expect('partition', all(b == reshape([((i + 100*j, i=1, n), j=first + 1, first + width)], [n, width])))
    call xredist_plan_destroy(plan)
    call xredist_plan_create(plan, grid_columns, n, n, descriptor_columns, slabs, 'I', cols_b=bounds, &
                             owners_cols_b=owners(:processes - 1), info=info)
    call refused(info, 'too few owners', 'owners_cols_b has')
    call xredist_plan_create(plan, grid_columns, n, n, descriptor_columns, slabs, 'I', owners_cols_b=owners, info=info)
    call refused(info, 'owners alone', 'owners_cols_b is present, but cols_b is absent')
    call xredist_plan_create(plan, grid_columns, n, n, descriptor_columns, slabs, 'I', info=info)
    call refused(info, 'a descriptor that needs a partition', &
      'descb, entry 6 (NB_) is 0, must be at least 1, unless cols_b is passed')
    bounds(2) = -1
    call xredist_plan_create(plan, grid_columns, n, n, descriptor_columns, slabs, 'I', cols_b=bounds, info=info)
    call refused(info, 'wrong partition', 'cols_b: bounds(2) is -1')
  end subroutine

  ! Copies by plans over the communicator of all processes, from blocks of columns to blocks of rows, and to slabs in
  ! descending order of the ranks.
  subroutine over_mpi()
    type(xredist_plan) :: plan
    type(xredist_plan_info) :: details
    type(xredist_layout) :: blocks_of_columns, blocks_of_rows
    integer(c_int64_t) :: bounds(processes + 1)
    integer :: b(rows, n), k, first, width, comm
    integer, allocatable :: slab(:, :)

    call blacs_get(grid_columns, 10, comm)
    call xredist_set_option_comm(comm, 'buffer', 'much', info)
    call refused(info, 'VALUE over MPI', 'buffer=much: ')
    call xredist_set_option_comm(comm, 'buffer ', '16M ', info)
    call expect('an option over MPI', info == 0)
    blocks_of_columns = xredist_layout(1, processes, n, 2)
    blocks_of_rows = xredist_layout(processes, 1, 1, 3)
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, blocks_of_rows, 'I')
    call xredist_execute(plan, here, b)
    call expect('over MPI', all(b == there))
    call xredist_plan_query(plan, details)
    call expect('query', details%bytes_received + details%bytes_kept >= storage_size(here)/8*rows*n .and. details%rows_b == rows)
    call xredist_plan_destroy(plan)

    bounds = [(int(k*n/processes, c_int64_t), k=0, processes)]
    k = processes - process
    first = int(bounds(k))
    width = int(bounds(k + 1)) - first
    allocate (slab(n, width), source=-1)
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, xredist_layout(1, processes, n), &
                             bytes=storage_size(here)/8, cols_b=bounds, ranks_b=[(processes - k, k=1, processes)])
    call xredist_execute(plan, here, slab)
    call expect('slabs over MPI', all(slab == reshape([((i + 100*j, i=1, n), j=first + 1, first + width)], [n, width])))
    call xredist_execute(plan, here, slab, alpha=1, info=info)
    call refused(info, 'a factor without type', 'alpha: the plan has no type')
    call xredist_plan_destroy(plan)
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, xredist_layout(0, 1, 1, 1), 'I', info=info)
    call refused(info, 'a layout', 'b.nprow is 0, must be at least 1')
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, blocks_of_rows, 'I', ranks_b=[0, 1, 2, 0, 0, 0, 0, 0, 0], &
                             info=info)
    call refused(info, 'ranks', 'ranks_b has 9 elements')
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, blocks_of_rows, 'I', &
                             ranks_a=[(processes, k=1, processes)], info=info)
    call refused(info, 'a rank', 'ranks_a(1) is ')
    bounds = -1
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, blocks_of_rows, 'I', rows_a=bounds, info=info)
    call refused(info, 'a partition', 'rows_a: bounds(1) is -1, must be 0')
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, blocks_of_rows, 'I', ia=0, info=info)
    call refused(info, 'ia', 'ia is 0, must be at least 1')
    call xredist_plan_create(plan, comm, n, n, blocks_of_columns, blocks_of_rows, info=info)
    call refused(info, 'neither type nor bytes', 'type and bytes are 0')
  end subroutine

  subroutine trapezoids()
    type(xredist_plan) :: plan
    integer :: b(rows, n), i_global(rows, n)
    logical :: copied(rows, n)
    character(len=1), parameter :: uplo(2) = ['U', 'L'], diag(2) = ['N', 'U']
    integer :: k

    i_global = mod(there, 100)
    do k = 1, 2
      b = -1
      plan = planned('I', uplo(k), diag(k))
      call xredist_execute(plan, here, b)
      copied = merge(i_global <= there/100, i_global > there/100, uplo(k) == 'U')
      call expect('trapezoid '//uplo(k)//diag(k), all(b == merge(there, -1, copied)))
      call xredist_plan_destroy(plan)
    end do
  end subroutine

  ! Copies there and back while another exchange is under way, and waits for the members from the last to the first.
  subroutine under_way()
    type(xredist_plan) :: plan, back
    type(xredist_request) :: batch, single, none
    real(real64), target, asynchronous :: a(n, columns, 3), b(rows, n, 4), c(n, columns)
    integer :: k
    logical :: done

    plan = planned('D', 'A', 'N')
    call xredist_plan_create(back, grid_rows, n, n, descriptor_rows, descriptor_columns, 'D')
    b(:, :, 3) = there
    do k = 1, 3
      a(:, :, k) = k*here
    end do
    call xredist_start(plan, a(:, :, 3), b(:, :, 4), single, info=info)
    call expect('start', info == 0)
    call xredist_start([xredist_job(plan, a(:, :, 1), b(:, :, 1)), xredist_job(plan, a(:, :, 2), b(:, :, 2)), &
                        xredist_job(back, b(:, :, 3), c)], batch)
    call xredist_wait_member(batch, 3)
    call expect('third member', all(abs(c - here) <= 0))
    call xredist_wait_member(batch, 2, info)
    call expect('second member', info == 0 .and. all(abs(b(:, :, 2) - 2*there) <= 0))
    done = .false.
    do while (.not. done)
      call xredist_test_member(batch, 1, done, info)
    end do
    call expect('first member', info == 0 .and. all(abs(b(:, :, 1) - there) <= 0))
    call xredist_wait_member(batch, 0, info)
    call refused(info, 'member 0', 'member is 0, must be in 1 .. ')
    call xredist_test_member(batch, 4, done, info)
    call refused(info, 'member 4 of 3', 'member is 4, must be in 1 .. 3')
    call xredist_wait(batch)
    done = .false.
    do while (.not. done)
      call xredist_test(single, done)
    end do
    call expect('the single one', all(abs(b(:, :, 4) - 3*there) <= 0))
    call xredist_test(single, done, info)
    call expect('a request that has ended', done .and. info == 0)
    call xredist_wait(none, info)
    call expect('a request that never started', info == 0)
    call xredist_plan_destroy(plan)
    call xredist_plan_destroy(back)
  end subroutine

  ! An array of another type on one process is an error on all.
  subroutine tuned()
    type(xredist_plan) :: plan
    real(real64) :: a(n, columns), b(rows, n)
    real(real32) :: wrong(rows, n)

    a = here
    plan = planned('D', 'A', 'N')
    if (process == 0) then
      call xredist_plan_tune(plan, a, wrong, info=info)
    else
      call xredist_plan_tune(plan, a, b, info=info)
    end if
    call refused(info, 'an array of one process', 'process 0: b has elements of 4 bytes')
    call xredist_plan_tune(plan, a, b, info=info)
    call expect('tuned', info == 0 .and. all(abs(b - there) <= 0))
    call xredist_plan_tune(plan, a, b, alpha=2.0_real64)
    call expect('tuned with alpha', all(abs(b - 2*there) <= 0))
    call xredist_execute(plan, a, b, beta=-1.0_real64)
    call expect('after tuning', all(abs(b + there) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  subroutine errors()
    type(xredist_plan) :: plan, none
    type(xredist_request) :: request
    integer :: wrong(9)
    integer, target, asynchronous :: a(1), b(1)

    wrong = descriptor_columns
    if (process == 0) wrong(5) = 0
    call xredist_plan_create(plan, grid_rows, n, n, wrong, descriptor_rows, 'D', info=info)
    if (processes > 1) then
      call refused(info, 'MB_', 'process 0: desca, entry 5 (MB_) is 0, must be at least 1, unless rows_a is passed')
    else
      call refused(info, 'MB_', 'desca, entry 5 (MB_) is 0, must be at least 1, unless rows_a is passed')
    end if
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'X', info=info)
    call refused(info, 'TYPE', "type is 'X', must be I, S, D, C or Z")
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D', jb=0, info=info)
    call refused(info, 'JB', 'jb is 0, must be at least 1')
    call xredist_plan_create(plan, -1, n, n, descriptor_columns, descriptor_rows, 'D', info=info)
    call refused(info, 'CTXT', 'ctxt is -1, not a context with this process')
    call xredist_start(none, a, b, request, info=info)
    call refused(info, 'no plan to start', 'plan is not a plan')
    call xredist_start([xredist_job(none, a, b)], request, info)
    call refused(info, 'no plans', 'plan is not a plan')
    call xredist_plan_tune(none, a, b, info=info)
    call refused(info, 'no plan to tune', 'plan is not a plan')
    call xredist_set_option(grid_rows, 'buffers', '1M', info)
    call refused(info, 'NAME', 'buffers=1M: ')
    call xredist_set_option(grid_rows, 'buffer', 'much', info)
    call refused(info, 'VALUE', 'buffer=much: ')
    call xredist_set_option(-1, 'buffer', '1M', info)
    call refused(info, 'CTXT of an option', 'ctxt is -1')
    call xredist_set_option(grid_rows, 'buffer   ', '1M ')
  end subroutine

end program plans
