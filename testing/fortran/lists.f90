! SPDX-License-Identifier: BSD-3-Clause
!> Tests lists of rows, columns and elements in plans of module xredist, with array descriptors, with layouts and of arrays.
program lists
  use, intrinsic :: iso_fortran_env, only: real64
  use columns_and_rows
  use xredist
  implicit none

  integer, parameter :: n = 13
  !> Some rows, one of them twice, and some columns of the matrix.
  integer, parameter :: some(7) = [13, 2, 5, 5, 1, 12, 7], others(7) = [3, 1, 13, 4, 10, 2, 8], few(4) = [2, 12, 6, 9]
  integer :: info, comm, i, j
  type(xredist_layout) :: blocks_of_columns, blocks_of_rows
  real(real64), allocatable :: a(:, :), b(:, :)
  external :: blacs_get

  call begin(n)
  call blacs_get(grid_rows, 10, comm)
  blocks_of_columns = xredist_layout(1, processes, 2, 2)
  blocks_of_rows = xredist_layout(processes, 1, 1, 3)
  allocate (a(n, columns), b(rows, n))
  a = reshape([((element(i, indxl2g(j, 2, column, 0, processes)), i=1, n), j=1, columns)], [n, columns])

  call selected()
  call transposed()
  call undone()
  call arrays()
  call relabelled()
  call errors()
  call finish('lists right')

contains

  integer function row_of(i)
    integer, intent(in) :: i

    row_of = indxl2g(i, 1, process, 0, processes)
  end function

  !> B(others, few backwards) := A(some, few), by descriptors and by layouts. By layouts, B ends with the last listed row.
  subroutine selected()
    type(xredist_plan) :: plan
    type(xredist_plan_info) :: details
    real(real64), allocatable :: up_to_last(:, :)

    call xredist_plan_create(plan, grid_rows, 7, 4, descriptor_columns, descriptor_rows, 'D', list_rows_a=some, &
                             list_cols_a=few, list_rows_b=others, list_cols_b=few(4:1:-1), info=info)
    call expect('a plan of descriptors with lists', info == 0)
    b = -1
    call xredist_execute(plan, a, b)
    call compare('selected by descriptors', b)
    call xredist_plan_destroy(plan)

    call xredist_plan_create(plan, comm, 7, 4, blocks_of_columns, blocks_of_rows, 'D', list_rows_a=some, &
                             list_cols_a=few, list_rows_b=others, list_cols_b=few(4:1:-1), info=info)
    call expect('a plan of layouts with lists', info == 0)
    call xredist_plan_query(plan, details)
    allocate (up_to_last(details%rows_b, n), source=-1.0_real64)
    call xredist_execute(plan, a, up_to_last)
    call compare('selected by layouts', up_to_last)
    call xredist_plan_destroy(plan)
  end subroutine

  subroutine compare(name, found)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: found(:, :)
    integer :: k, l
    real(real64) :: expected

    do j = 1, n
      do i = 1, size(found, 1)
        k = in_list(others, row_of(i))
        l = in_list(few(4:1:-1), j)
        expected = -1
        if (k > 0 .and. l > 0) expected = element(some(k), few(l))
        call expect(name, is(found(i, j), expected))
      end do
    end do
  end subroutine

  integer function in_list(list, k)
    integer, intent(in) :: list(:), k

    in_list = findloc(list, k, 1)
  end function

  !> B(1:4, 1:7) := A(some, few)^T: A's lists have N and M elements.
  subroutine transposed()
    type(xredist_plan) :: plan
    integer :: k
    real(real64) :: expected

    call xredist_plan_create(plan, grid_rows, 4, 7, descriptor_columns, descriptor_rows, 'D', trans='t', list_rows_a=some, &
                             list_cols_a=few)
    b = -1
    call xredist_execute(plan, a, b)
    do j = 1, n
      do i = 1, rows
        k = min(j, 7)
        expected = -1
        if (row_of(i) <= 4 .and. j == k) expected = element(some(k), few(row_of(i)))
        call expect('transposed', is(b(i, j), expected))
      end do
    end do
    call xredist_plan_destroy(plan)
  end subroutine

  !> Permutes the rows, and undoes that by the same list.
  subroutine undone()
    type(xredist_plan) :: there, back
    integer :: order(n)
    real(real64) :: c(n, columns)

    order = [(modulo(5*i, n) + 1, i=1, n)]
    call xredist_plan_create(there, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D', list_rows_a=order)
    call xredist_plan_create(back, grid_rows, n, n, descriptor_rows, descriptor_columns, 'D', list_rows_b=order)
    call xredist_execute(there, a, b)
    do i = 1, rows
      call expect('permuted', is(b(i, 3), element(order(row_of(i)), 3)))
    end do
    c = -1
    call xredist_execute(back, b, c)
    call expect('undone', all(abs(c - a) < 0.5_real64))
    call xredist_plan_destroy(there)
    call xredist_plan_destroy(back)
  end subroutine

  !> Arrays with lists on the axes 3 and 1 of A, and on axis 2 of B.
  subroutine arrays()
    type(xredist_plan) :: plan
    type(xredist_array_layout) :: x, y
    integer :: local(3), k, first
    integer, allocatable :: u(:, :, :), v(:, :, :)
    integer, parameter :: shape_a(3) = [6, 3, 5], of_axis_1(4) = [6, 1, 6, 2], of_axis_3(2) = [4, 2], of_axis_2(3) = [5, 1, 3]

    x = xredist_array_layout('(*, *, CYCLIC)', grid=[1, 1, processes], shape=shape_a)
    y = xredist_array_layout('(CYCLIC, *, *)', grid=[processes, 1, 1], shape=[4, 5, 2])
    call xredist_local_shape(x, shape_a, process, local)
    allocate (u(local(1), local(2), local(3)))
    u = reshape([(((100*i + 10*j + k*processes + process + 1 - processes, i=1, 6), j=1, 3), k=1, local(3))], shape(u))
    call xredist_local_shape(y, [4, 5, 2], process, local)
    allocate (v(local(1), local(2), local(3)), source=-1)
    call xredist_plan_create(plan, comm, [4, 3, 2], x, y, 'I', listed_a=[3, 1], lists_a=[of_axis_3, of_axis_1], &
                             listed_b=[2], lists_b=of_axis_2, info=info)
    call expect('a plan of arrays with lists', info == 0)
    call xredist_execute(plan, u, v)
    do i = 1, local(1)
      first = (i - 1)*processes + process + 1
      do k = 1, 2
        do j = 1, 3
          call expect('listed elements', v(i, of_axis_2(j), k) == 100*of_axis_1(first) + 10*j + of_axis_3(k))
        end do
        call expect('other elements', all(v(i, [2, 4], k) == -1))
      end do
    end do
    call xredist_plan_destroy(plan)
  end subroutine

  !> Elements that a list mirrors stay in place on a grid with the opposite order.
  subroutine relabelled()
    type(xredist_array_layout) :: layout
    integer :: ranks(processes)
    real(real64) :: kept(2)

    layout = xredist_array_layout('(BLOCK)', grid=[processes])
    call xredist_relabel(comm, [processes], layout, layout, ranks, kept, listed_a=[1], lists_a=[(i, i=processes, 1, -1)])
    call expect('relabelled', all(ranks == [(i, i=processes - 1, 0, -1)]) .and. abs(kept(1) - 1) < 1d-9)
  end subroutine

  subroutine errors()
    type(xredist_plan) :: plan
    type(xredist_array_layout) :: x

    call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D', list_rows_a=[1, 2, 3], info=info)
    call refused(info, 'too few rows', 'list_rows_a has 3 elements, must have 13')
    call xredist_plan_create(plan, grid_rows, 3, n, descriptor_columns, descriptor_rows, 'D', list_rows_a=[1, n + 1, 3], &
                             info=info)
    call refused(info, 'a row beyond', 'list_rows_a(2) is 14: beyond desca, entry 3 (M_), which ends at 13')
    call xredist_plan_create(plan, comm, 3, n, blocks_of_columns, blocks_of_rows, 'D', list_rows_b=[1, 0, 3], info=info)
    call refused(info, 'row 0', 'list_rows_b(2) is 0, must be at least 1')
    call xredist_plan_create(plan, comm, n, 2, blocks_of_columns, blocks_of_rows, 'D', list_cols_a=[4, 3], ja=2, info=info)
    call refused(info, 'a list and ja', 'ja is 2, must be 1 with list_cols_a')
    if (processes > 1) then
      call xredist_plan_create(plan, grid_rows, n, 2, descriptor_columns, descriptor_rows, 'D', &
                               list_cols_a=[4, 3 + min(process, 1)], info=info)
      call refused(info, 'lists that differ', 'list_cols_a differs between processes')
    end if
    x = xredist_array_layout('(BLOCK, *)', grid=[processes, 1])
    call xredist_plan_create(plan, comm, [2, 3], x, x, 'D', lists_a=[1, 2], info=info)
    call refused(info, 'no axes', 'lists_a is present, but listed_a is absent')
    call xredist_plan_create(plan, comm, [2, 3], x, x, 'D', listed_a=[1], info=info)
    call refused(info, 'no lists', 'listed_a is present, but lists_a is absent')
    call xredist_plan_create(plan, comm, [2, 3], x, x, 'D', listed_b=[1, 3], lists_b=[1, 2], info=info)
    call refused(info, 'another axis', 'listed_b(2) is 3, must be in 1 .. 2')
    call xredist_plan_create(plan, comm, [2, 3], x, x, 'D', listed_b=[1, 1], lists_b=[1, 2, 1, 2], info=info)
    call refused(info, 'an axis twice', 'listed_b(2) is 1, an axis that comes before')
    call xredist_plan_create(plan, comm, [2, 3], x, x, 'D', listed_b=[2, 1], lists_b=[1, 2], info=info)
    call refused(info, 'too few elements', 'lists_b has 2 elements, must have 5, those of the axes of listed_b')
    call xredist_plan_create(plan, comm, [2, 3], x, x, 'D', listed_b=[2], lists_b=[1, 3, 1], info=info)
    call refused(info, 'an element twice', 'lists_b(2)(3) is 1, as entry (1) is: no element of B may be written twice')
  end subroutine

end program
