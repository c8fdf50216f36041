! SPDX-License-Identifier: BSD-3-Clause
!> Four uses of lists of rows and columns, on array descriptors: columns in the order of their eigenvalues, every third
!! row, rows that a factorisation has exchanged, and Fourier vectors of a sphere in the slabs of a grid. The program
!! checks all elements.
program lists
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist
  implicit none

  !> A distributed matrix: the part of this process, with the rows and columns that it holds.
  type :: matrix
    integer :: desc(9)
    integer, allocatable :: rows(:), cols(:)
    real(real64), allocatable :: part(:, :)
  end type

  integer, parameter :: n = 60, nb = 4
  integer :: grid, column_of_processes, me, processes, nprow, errors(1) = 0, k
  external :: blacs_exit, blacs_get, blacs_gridinit, blacs_pinfo, igsum2d

  call blacs_pinfo(me, processes)
  call blacs_get(-1, 0, grid)
  call blacs_get(-1, 0, column_of_processes)
  nprow = merge(2, 1, modulo(processes, 2) == 0)
  call blacs_gridinit(grid, 'Row', nprow, processes/nprow)
  call blacs_gridinit(column_of_processes, 'Row', processes, 1)

  call sort(real([(modulo(37*k, 61), k=1, n)], real64))
  call thin_out()
  call undo_pivoting([(k + modulo(17*k, n - k + 1), k=1, n)])
  call fill_slabs()

  call igsum2d(grid, 'All', ' ', 1, 1, errors, 1, -1, -1)
  if (me == 0) print '(a, i0, 2a)', 'lists on ', processes, ' processes: ', merge('right', 'wrong', errors(1) == 0)
  call blacs_exit(0)
  if (errors(1) > 0) stop 1

contains

  !> Columns in the order of their eigenvalues.
  subroutine sort(eigenvalues)
    real(real64), intent(in) :: eigenvalues(n)
    integer :: order(n)  ! the column that has the k-th least eigenvalue
    type(matrix) :: vectors, sorted
    type(xredist_plan) :: plan

    order([(count(eigenvalues <= eigenvalues(k)), k=1, n)]) = [(k, k=1, n)]
    vectors = numbered(grid, n, n, nb, nb)
    sorted = zeros(grid, n, n, nb, nb)
    call xredist_plan_create(plan, grid, n, n, vectors%desc, sorted%desc, 'D', list_cols_a=order)
    call xredist_execute(plan, vectors%part, sorted%part)
    call xredist_plan_destroy(plan)
    call check(sorted, [(k, k=1, n)], order)
  end subroutine

  !> Every third row.
  subroutine thin_out()
    integer, parameter :: third(n/3) = [(k, k=1, n, 3)]
    type(matrix) :: all_rows, some
    type(xredist_plan) :: plan

    all_rows = numbered(grid, n, n, nb, nb)
    some = zeros(grid, n/3, n, nb, nb)
    call xredist_plan_create(plan, grid, n/3, n, all_rows%desc, some%desc, 'D', list_rows_a=third)
    call xredist_execute(plan, all_rows%part, some%part)
    call xredist_plan_destroy(plan)
    call check(some, third, [(k, k=1, n)])
  end subroutine

  !> Rows back where they were before LU exchanged row k with row pivots(k), one k after the other.
  subroutine undo_pivoting(pivots)
    integer, intent(in) :: pivots(n)
    integer :: came_from(n)
    type(matrix) :: pivoted, back
    type(xredist_plan) :: plan

    came_from = [(k, k=1, n)]
    do k = 1, n
      came_from([k, pivots(k)]) = came_from([pivots(k), k])
    end do
    pivoted = numbered(grid, n, n, nb, nb)
    back = zeros(grid, n, n, nb, nb)
    call xredist_plan_create(plan, grid, n, n, pivoted%desc, back%desc, 'D', list_rows_b=came_from)
    call xredist_execute(plan, pivoted%part, back%part)
    call xredist_plan_destroy(plan)
    call check(back, [(findloc(came_from, k, 1), k=1, n)], [(k, k=1, n)])
  end subroutine

  !> Fourier coefficients of bands: vectors in a sphere, dealt to the processes, become slabs of a grid of side**3.
  subroutine fill_slabs()
    integer, parameter :: side = 12, radius = 4, bands = 3, points = side**3
    integer, parameter :: frequency(side) = [(modulo(k + side/2, side) - side/2, k=0, side - 1)]
    integer, allocatable :: of_vectors(:)  ! their points
    logical :: inside(points)
    integer :: x, y, z, planes
    type(matrix) :: sphere, slabs
    type(xredist_plan) :: plan

    inside = [(((frequency(x)**2 + frequency(y)**2 + frequency(z)**2 <= radius**2, x=1, side), y=1, side), z=1, side)]
    allocate (of_vectors, source=pack([(k, k=1, points)], inside))
    planes = (side + processes - 1)/processes  ! of a slab
    sphere = numbered(column_of_processes, size(of_vectors), bands, 4, bands)
    slabs = zeros(column_of_processes, points, bands, planes*side**2, bands)
    call xredist_plan_create(plan, grid, size(of_vectors), bands, sphere%desc, slabs%desc, 'D', list_rows_b=of_vectors)
    call xredist_execute(plan, sphere%part, slabs%part)
    call xredist_plan_destroy(plan)
    call check(slabs, [(findloc(of_vectors, k, 1), k=1, points)], [(k, k=1, bands)])
  end subroutine

  !> Returns an m x k matrix of zeros.
  type(matrix) function zeros(context, m, k, mb, nb)
    integer, intent(in) :: context, m, k, mb, nb
    integer :: rows, cols

    call xredist_descinit(zeros%desc, m, k, mb, nb, 0, 0, context)
    call xredist_local_size(zeros%desc, rows, cols)
    allocate (zeros%rows(rows), zeros%cols(cols))
    allocate (zeros%part(max(1, rows), cols), source=0.0_real64)
    call xredist_local_to_global(zeros%desc, zeros%rows, zeros%cols)
  end function

  !> Returns an m x k matrix whose elements are those of the function `elements`.
  type(matrix) function numbered(context, m, k, mb, nb)
    integer, intent(in) :: context, m, k, mb, nb

    numbered = zeros(context, m, k, mb, nb)
    numbered%part(:size(numbered%rows), :) = elements(numbered%rows, numbered%cols)
  end function

  !> Returns the elements in these rows and columns of a numbered matrix; 0 in row 0.
  function elements(rows, cols)
    integer, intent(in) :: rows(:), cols(:)
    real(real64) :: elements(size(rows), size(cols))

    elements = spread(real(rows, real64), 2, size(cols)) + 10000*spread(real(cols, real64), 1, size(rows))
    where (spread(rows, 2, size(cols)) == 0) elements = 0
  end function

  !> Counts an error unless row i and column j have the elements of row rows(i) and column cols(j) of a numbered matrix.
  subroutine check(x, rows, cols)
    type(matrix), intent(in) :: x
    integer, intent(in) :: rows(:), cols(:)

    if (any(abs(x%part(:size(x%rows), :) - elements(rows(x%rows), cols(x%cols))) > 0)) errors = errors + 1
  end subroutine

end program
