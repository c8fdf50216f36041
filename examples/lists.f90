! SPDX-License-Identifier: BSD-3-Clause
!> Two uses of lists of rows and columns, on array descriptors: columns in the order of their eigenvalues, and rows back
!! where they were before a factorisation exchanged them. The program checks all elements.
program lists
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist
  implicit none

  integer, parameter :: n = 60, nb = 4
  integer :: context, me, processes, nprow, npcol, myrow, mycol, desc(9), local_rows, local_cols, k
  integer :: order(n), came_from(n), pivots(n)
  integer, allocatable :: rows(:), cols(:)
  real(real64) :: eigenvalues(n)
  real(real64), allocatable :: a(:, :), b(:, :)
  type(xredist_plan) :: plan
  logical :: right
  integer :: errors(1)
  external :: blacs_exit, blacs_get, blacs_gridinfo, blacs_gridinit, blacs_pinfo, igsum2d

  call blacs_pinfo(me, processes)
  call blacs_get(-1, 0, context)
  nprow = merge(2, 1, modulo(processes, 2) == 0)
  call blacs_gridinit(context, 'Row', nprow, processes/nprow)
  call blacs_gridinfo(context, nprow, npcol, myrow, mycol)
  call xredist_descinit(desc, n, n, nb, nb, 0, 0, context)
  call xredist_local_size(desc, local_rows, local_cols)
  allocate (a(max(1, local_rows), local_cols), b(max(1, local_rows), local_cols), rows(local_rows), cols(local_cols))
  call xredist_local_to_global(desc, rows, cols)
  a(:local_rows, :) = elements(rows, cols)

  ! columns in the order of their eigenvalues
  eigenvalues = [(modulo(37*k, 61), k=1, n)]
  order(rank_of(eigenvalues)) = [(k, k=1, n)]
  call xredist_plan_create(plan, context, n, n, desc, desc, 'D', list_cols_a=order)
  call xredist_execute(plan, a, b)
  call xredist_plan_destroy(plan)
  right = all(abs(b(:local_rows, :) - elements(rows, order(cols))) < 0.5_real64)

  ! rows back where they were before LU exchanged row k with row pivots(k), one k after the other
  pivots = [(k + modulo(17*k, n - k + 1), k=1, n)]
  came_from = [(k, k=1, n)]
  do k = 1, n
    came_from([k, pivots(k)]) = came_from([pivots(k), k])
  end do
  call xredist_plan_create(plan, context, n, n, desc, desc, 'D', list_rows_b=came_from)
  call xredist_execute(plan, a, b)
  call xredist_plan_destroy(plan)
  rows = [(findloc(came_from, rows(k), 1), k=1, local_rows)]
  right = right .and. all(abs(b(:local_rows, :) - elements(rows, cols)) < 0.5_real64)

  errors = merge(0, 1, right)
  call igsum2d(context, 'All', ' ', 1, 1, errors, 1, -1, -1)
  if (me == 0) print '(a, i0, 2a)', 'lists on ', processes, ' processes: ', merge('right', 'wrong', errors(1) == 0)
  call blacs_exit(0)
  if (errors(1) > 0) stop 1

contains

  !> Returns the elements in these rows and columns of A.
  function elements(of_rows, of_cols)
    integer, intent(in) :: of_rows(:), of_cols(:)
    real(real64) :: elements(size(of_rows), size(of_cols))

    elements = spread(real(of_rows, real64), 2, size(of_cols)) + 1000*spread(real(of_cols, real64), 1, size(of_rows))
  end function

  !> Returns the position of each value in ascending order. All values differ.
  function rank_of(values)
    real(real64), intent(in) :: values(:)
    integer :: rank_of(size(values))

    rank_of = [(count(values <= values(k)), k=1, size(values))]
  end function

end program
