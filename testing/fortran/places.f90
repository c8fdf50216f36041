! SPDX-License-Identifier: BSD-3-Clause
!> Tests partitions whose owners store the intervals in another order, with gaps: indices, plans and files of matrices
!! and of arrays. Of two intervals of an owner, the later one comes first, and each has a gap before it. On four
!! processes, one of them owns an empty interval only.
program places
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use columns_and_rows
  use xredist
  use xredist_files
  implicit none

  integer, parameter :: n = 13, intervals = 6
  integer(int64), parameter :: bounds(intervals + 1) = [0, 3, 4, 4, 8, 11, 13]
  integer(int64) :: stored(intervals)
  integer :: owners(intervals), owner_of(n), local_of(n), info, comm, i, j, k
  !> What the local elements of this process are; 0: a gap.
  integer, allocatable :: held(:)
  type(xredist_layout) :: of_rows, of_cols
  integer :: descriptor(9)
  real(real64), allocatable :: a(:, :), b(:, :)
  character(len=40) :: name
  external :: blacs_get

  call begin(n)
  call blacs_get(grid_rows, 10, comm)
  write (name, '(a, i0, a)') 'fortran_places_', processes, '.npy'
  call divide()
  of_rows = xredist_layout(processes, 1, 0, 3)
  of_cols = xredist_layout(1, processes, 2, 0)
  allocate (a(n, columns), b(size(held), n))
  a = reshape([((element(i, indxl2g(j, 2, column, 0, processes)), i=1, n), j=1, columns)], [n, columns])

  call indices()
  call by_descriptors()
  call by_layouts()
  call with_a_list()
  call matrices_in_files()
  call arrays()
  call delete_file()
  call wrong_places()
  call wrong_arrays()
  call finish('places right')

contains

  subroutine divide()
    integer :: extent

    owners = [(modulo(5*k, processes), k=0, intervals - 1)]
    do k = 1, intervals
      stored(k) = 1
      do j = k + 1, intervals
        if (owners(j) == owners(k)) stored(k) = stored(k) + bounds(j + 1) - bounds(j) + 1
      end do
      do i = int(bounds(k)) + 1, int(bounds(k + 1))
        owner_of(i) = owners(k)
        local_of(i) = int(stored(k)) + i - int(bounds(k))
      end do
    end do
    extent = maxval(local_of, mask=owner_of == process)
    allocate (held(max(0, extent)), source=0)
    do i = 1, n
      if (owner_of(i) == process) held(local_of(i)) = i
    end do
  end subroutine

  !> Expects the elements of the local rows or columns that this process holds, and -1 in the gaps.
  subroutine arrived(what, of_local_rows, of_local_cols)
    character(len=*), intent(in) :: what
    real(real64), intent(in), optional :: of_local_rows(:, :), of_local_cols(:, :)
    real(real64) :: by_rows, by_cols

    do k = 1, size(held)
      do j = 1, n
        by_rows = merge(element(held(k), j), -1.0_real64, held(k) > 0)
        by_cols = merge(element(j, held(k)), -1.0_real64, held(k) > 0)
        if (present(of_local_rows)) call expect(what, is(of_local_rows(k, j), by_rows))
        if (present(of_local_cols)) call expect(what, is(of_local_cols(j, k), by_cols))
      end do
    end do
  end subroutine

  subroutine indices()
    integer :: local_rows, local_cols, global_rows(2*n), global_cols(2*n), prow, pcol, rank, row, col

    call xredist_descinit(descriptor, n, n, 0, 3, 0, 0, grid_rows, info=info, rows=bounds, owners_rows=owners, &
                          places_rows=stored)
    call expect('LLD_', info == 0 .and. descriptor(9) == max(1, size(held)))
    call xredist_local_size(descriptor, local_rows, local_cols, rows=bounds, owners_rows=owners, places_rows=stored)
    call expect('local size', local_rows == size(held) .and. local_cols == n)
    call xredist_local_size(of_cols, n, n, process, local_rows, local_cols, cols=bounds, owners_cols=owners, &
                            places_cols=stored)
    call expect('local size of a layout', local_rows == n .and. local_cols == size(held))
    global_rows = -1
    call xredist_local_to_global(descriptor, global_rows, global_cols, rows=bounds, owners_rows=owners, &
                                 places_rows=stored)
    call expect('rows, and gaps', all(global_rows(:size(held)) == held) .and. all(global_rows(size(held) + 1:) == -1))
    call xredist_local_to_global(of_cols, n, n, process, global_rows, global_cols, cols=bounds, owners_cols=owners, &
                                 places_cols=stored)
    call expect('columns of a layout, and gaps', all(global_cols(:size(held)) == held))
    do i = 1, n
      call xredist_global_to_local(descriptor, i, 7, prow, pcol, row, col, rows=bounds, owners_rows=owners, &
                                   places_rows=stored)
      call expect('place of a row', prow == owner_of(i) .and. pcol == 0 .and. row == local_of(i) .and. col == 7)
      call xredist_global_to_local(of_cols, 7, i, rank, row, col, cols=bounds, owners_cols=owners, places_cols=stored)
      call expect('place of a column', rank == owner_of(i) .and. row == 7 .and. col == local_of(i))
    end do
  end subroutine

  subroutine by_descriptors()
    type(xredist_plan) :: plan
    real(real64) :: c(n, columns)

    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor, 'D', rows_b=bounds, &
                             owners_rows_b=owners, places_rows_b=stored, info=info)
    call expect('a plan with places', info == 0)
    b = -1
    call xredist_execute(plan, a, b)
    call arrived('rows', b)
    call xredist_plan_destroy(plan)

    call xredist_plan_create(plan, grid_rows, n, n, descriptor, descriptor_columns, 'D', rows_a=bounds, &
                             owners_rows_a=owners, places_rows_a=stored)
    c = -1
    call xredist_execute(plan, b, c)
    call expect('back from rows', all(abs(c - a) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  !> Moves rows with places to columns with places, and these to blocks of rows.
  subroutine by_layouts()
    type(xredist_plan) :: plan
    real(real64) :: c(n, size(held)), d(rows, n)

    call xredist_plan_create(plan, comm, n, n, of_rows, of_cols, 'D', rows_a=bounds, cols_b=bounds, &
                             owners_rows_a=owners, owners_cols_b=owners, places_rows_a=stored, places_cols_b=stored, &
                             info=info)
    call expect('a plan with two lists of places', info == 0)
    c = -1
    call xredist_execute(plan, b, c)
    call arrived('columns', of_local_cols=c)
    call xredist_plan_destroy(plan)

    call xredist_plan_create(plan, comm, n, n, of_cols, xredist_layout(processes, 1, 1, 3), 'D', cols_a=bounds, &
                             owners_cols_a=owners, places_cols_a=stored)
    call xredist_execute(plan, c, d)
    do i = 1, rows
      do j = 1, n
        call expect('back from columns', is(d(i, j), element(indxl2g(i, 1, process, 0, processes), j)))
      end do
    end do
    call xredist_plan_destroy(plan)
  end subroutine

  !> Moves some rows, one of them twice, out of rows with places.
  subroutine with_a_list()
    integer, parameter :: some(7) = [13, 2, 5, 5, 1, 12, 7]
    type(xredist_plan) :: plan
    real(real64) :: c(n, columns)

    call xredist_plan_create(plan, grid_rows, 7, n, descriptor, descriptor_columns, 'D', rows_a=bounds, &
                             owners_rows_a=owners, places_rows_a=stored, list_rows_a=some)
    c = -1
    call xredist_execute(plan, b, c)
    call expect('listed rows', all(abs(c(:7, :) - a(some, :)) <= 0) .and. all(abs(c(8:, :) + 1) <= 0))
    call xredist_plan_destroy(plan)
  end subroutine

  subroutine matrices_in_files()
    real(real64) :: c(n, columns), d(n, size(held))

    call xredist_write(grid_rows, n, n, b, 1, 1, descriptor, name, rows=bounds, owners_rows=owners, places_rows=stored)
    c = -1
    call xredist_read(grid_columns, n, n, c, 1, 1, descriptor_columns, name)
    call expect('a file of rows', all(abs(c - a) <= 0))
    d = -1
    call xredist_read(comm, n, n, d, 1, 1, of_cols, name, cols=bounds, owners_cols=owners, places_cols=stored)
    call arrived('columns of a file', of_local_cols=d)
    call xredist_write(comm, n, n, d, 1, 1, of_cols, name, cols=bounds, owners_cols=owners, places_cols=stored)
    b = -1
    call xredist_read(grid_rows, n, n, b, 1, 1, descriptor, name, rows=bounds, owners_rows=owners, places_rows=stored)
    call arrived('rows of a file', b)
  end subroutine

  !> Arrays with two lists of places. Along the first axis, elements 3 to 5 are before elements 1 and 2.
  subroutine arrays()
    integer, parameter :: whole(3) = [5, n, 2], along_first(5) = [3, 4, 5, 1, 2]
    type(xredist_array_layout) :: x, y
    type(xredist_plan) :: plan
    integer :: local(3), all_owners(intervals + 2)
    integer(int64) :: all_bounds(intervals + 4), all_places(intervals + 2)
    real(real64), dimension(5, columns, 2) :: u, same
    real(real64), dimension(5, size(held), 2) :: v, right

    all_bounds = [[0_int64, 2_int64, 5_int64], bounds]
    all_owners = [[0, 0], owners]
    all_places = [[3_int64, 0_int64], stored]
    x = xredist_array_layout('(*, CYCLIC(2), *)', grid=[1, processes, 1])
    y = xredist_array_layout('(GEN_BLOCK(2), GEN_BLOCK(6), *)', grid=[1, processes, 1])
    call xredist_local_shape(y, whole, process, local, bounds=all_bounds, owners=all_owners, places=all_places)
    call expect('local shape', all(local == [5, size(held), 2]))
    right = -1
    do k = 1, 2
      u(:, :, k) = 1000*k + a(:5, :)
      do j = 1, size(held)
        if (held(j) > 0) right(:, j, k) = [(1000*k + element(along_first(i), held(j)), i=1, 5)]
      end do
    end do

    call xredist_plan_create(plan, comm, whole, x, y, 'D', bounds_b=all_bounds, owners_b=all_owners, &
                             places_b=all_places, info=info)
    call expect('a plan of arrays with places', info == 0)
    v = -1
    call xredist_execute(plan, u, v)
    call expect('an array', all(abs(v - right) <= 0))
    call xredist_plan_destroy(plan)
    call xredist_plan_create(plan, comm, whole, y, x, 'D', bounds_a=all_bounds, owners_a=all_owners, &
                             places_a=all_places)
    same = -1
    call xredist_execute(plan, v, same)
    call expect('back from an array', all(abs(same - u) <= 0))
    call xredist_plan_destroy(plan)

    call xredist_write(comm, whole, v, y, name, bounds=all_bounds, owners=all_owners, places=all_places)
    same = -1
    call xredist_read(comm, whole, same, x, name)
    call expect('a file of an array', all(abs(same - u) <= 0))
    v = -1
    call xredist_read(comm, whole, v, y, name, bounds=all_bounds, owners=all_owners, places=all_places)
    call expect('an array of a file', all(abs(v - right) <= 0))
  end subroutine

  subroutine delete_file()
    integer :: unit

    if (process /= 0) return
    open (newunit=unit, file=name, status='old')
    close (unit, status='delete')
  end subroutine

  subroutine wrong_places()
    integer(int64), parameter :: two(3) = [0, 6, 13]
    integer :: local_rows, local_cols, all_rows(2*n), all_cols(n), short(9)
    type(xredist_layout) :: whole
    type(xredist_plan) :: plan

    whole = xredist_layout(1, 1, n, n)
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor, 'D', rows_b=bounds, &
                             owners_rows_b=owners, places_rows_b=stored(2:), info=info)
    call refused(info, 'too few', 'places_rows_b has 5 elements, must have one less than rows_b, which has 7')
    call xredist_plan_create(plan, comm, n, n, whole, whole, 'D', places_cols_a=stored, info=info)
    call refused(info, 'places alone', 'places_cols_a is present, but cols_a is absent')
    call xredist_plan_create(plan, comm, n, n, whole, whole, 'D', rows_a=two, owners_rows_a=[0, 0], &
                             places_rows_a=[7_int64, -1_int64], info=info)
    call refused(info, 'a place below 0', "rows_a: places(2) is -1, must be in 0 .. 2^40 less the interval's length")
    call xredist_plan_create(plan, comm, n, n, whole, whole, 'D', cols_b=two, owners_cols_b=[0, 0], &
                             places_cols_b=[0_int64, 5_int64], info=info)
    call refused(info, 'an overlap', 'cols_b: places(2) is 5: the interval has local elements of places(1)')
    call xredist_local_size(whole, n, n, 0, local_rows, local_cols, rows=two, owners_rows=[0, 0], &
                            places_rows=[2_int64**40, 0_int64], info=info)
    call refused(info, 'a place beyond', 'rows: places(1) is 1099511627776, must be in 0 .. 2^40 less')
    call xredist_local_to_global(descriptor, all_rows(:size(held) - 1), all_cols, rows=bounds, owners_rows=owners, &
                                 places_rows=stored, info=info)
    if (size(held) > 0) call refused(info, 'no room for gaps', 'global_rows has ')
    call xredist_descinit(short, n, n, 0, 3, 0, 0, grid_rows, info=info, rows=bounds, owners_rows=owners, &
                          places_rows=stored(:1))
    call expect('INFO of rows', info == -11 .and. all(short == 0))
    call xredist_descinit(short, n, n, 2, 3, 0, 0, grid_rows, info=info, places_cols=stored)
    call expect('INFO of columns', info == -12 .and. all(short == 0))
    if (processes == 4) return  ! one of them owns no rows
    short = descriptor
    short(9) = 1
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, short, 'D', rows_b=bounds, &
                             owners_rows_b=owners, places_rows_b=stored, info=info)
    call refused(info, 'LLD_', 'descb, entry 9 (LLD_) is 1, must be at least ')
    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor, 'D', rows_b=bounds, &
                             owners_rows_b=owners, places_rows_b=stored)
    call xredist_execute(plan, a, b(:, :n - 1), info=info)
    call refused_here(info, 'a short array', 'b has ')
    call xredist_plan_destroy(plan)
  end subroutine

  subroutine wrong_arrays()
    type(xredist_array_layout) :: x, y
    type(xredist_plan) :: plan
    integer :: local(2)
    integer(int64) :: same_place(intervals)
    real(real64) :: short(n, max(0, size(held) - 1))

    x = xredist_array_layout('(*, CYCLIC(2))', grid=[1, processes])
    y = xredist_array_layout('(*, GEN_BLOCK(6))', grid=[1, processes])
    same_place = 0
    short = 0
    call xredist_plan_create(plan, comm, [n, n], x, y, 'D', bounds_b=bounds, owners_b=owners, &
                             places_b=stored(:2), info=info)
    call refused(info, 'too few', &
                 'places_b has 2 elements, must have 6: the places of the intervals of each axis of b with GEN_BLOCK')
    call xredist_plan_create(plan, comm, [n, n], x, y, 'D', bounds_b=bounds, owners_b=owners, &
                             places_a=stored, info=info)
    call refused(info, 'no partition', 'places_a has 6 elements, must have 0')
    call xredist_plan_create(plan, comm, [n, n], y, x, 'D', bounds_a=bounds, owners_a=owners, &
                             places_a=same_place, info=info)
    call refused(info, 'an overlap', 'a, axis 2: places(')
    call xredist_local_shape(y, [n, n], process, local, bounds=bounds, owners=owners, places=same_place - 1, info=info)
    call refused(info, 'a place below 0', 'layout, axis 2: places(1) is -1, must be in 0 .. 2^40 less')
    if (processes == 4) return
    call xredist_plan_create(plan, comm, [n, n], x, y, 'D', bounds_b=bounds, owners_b=owners, places_b=stored)
    call xredist_execute(plan, a, short, info=info)
    call refused_here(info, 'a short array', 'b has extent ')
    call xredist_plan_destroy(plan)
  end subroutine

end program
