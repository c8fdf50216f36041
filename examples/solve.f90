! SPDX-License-Identifier: BSD-3-Clause
!> Solves a linear system and computes all eigenpairs of a covariance matrix of order 900.
!!
!! Each process holds a block of rows, as an application does. ScaLAPACK is fast on a nearly square grid with small
!! blocks. So the program redistributes the matrix to such a grid for PDGESV and PDSYEV, redistributes the solution and
!! the eigenvectors back, and checks them with the original matrix.
!!
!! Each line of output has a key and a value. Times are in seconds. The time of a redistribution is that of the slowest
!! process from a common start; redistributions inside PDSYEV are not timed. The program ends with status 1 if a residual
!! is too large.
program solve
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit, real64
  use mpi_f08
  use distribution
  use residuals
  implicit none

  integer, parameter :: n = 900
  real(real64), parameter :: correlation_length = 10  ! of points at distance 1 on a line
  integer, parameter :: block = 64       ! block size on the square grid
  integer, parameter :: repeats = 20     ! timed calls: a single one is short
  real(real64), parameter :: trust = 10  ! upper bound of a residual, in units of n * epsilon
  character(len=*), parameter :: counted = '(a, t26, i0)', measured = '(a, t26, es24.16e3)', timed = '(a, t26, f14.9)'

  real(real64) :: seconds(repeats + 4)  ! of each redistribution
  type(matrix) :: a, b, x, v            ! one block of rows per process
  type(matrix) :: a_square              ! on the square grid
  real(real64), allocatable :: lambda(:)
  real(real64) :: solve_error, eigen_error, v_error, solve_time, eigen_time, tolerance
  integer :: process, processes, i, k, square_rows, square_columns, row_grid, square_grid
  integer :: height, first, held        ! rows of a block; this process has rows first, first + 1 ... first + held - 1
  integer, external :: numroc
  external :: blacs_gridexit, blacs_exit

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, process)
  call MPI_Comm_size(MPI_COMM_WORLD, processes)
  square_rows = near_square(processes)
  square_columns = processes/square_rows
  row_grid = new_grid(processes, 1)
  square_grid = new_grid(square_rows, square_columns)

  height = (n + processes - 1)/processes
  first = process*height + 1
  held = numroc(n, height, process, 0, processes)
  a = new_matrix(row_grid, n, n, height, n)
  do k = 1, n
    a%local(:held, k) = [(exp(-abs(i - k)/correlation_length), i=first, first + held - 1)]
  end do
  tolerance = trust*max(n, 100)*epsilon(tolerance)
  call report_start()

  a_square = new_matrix(square_grid, n, n, block, block)
  do k = 1, repeats
    call redistribute(a, a_square, seconds(k))
  end do
  call solve_system()
  call solve_eigenproblem()
  call report()

  call blacs_gridexit(square_grid)
  call blacs_gridexit(row_grid)
  call blacs_exit(1)
  call MPI_Finalize()
  if (.not. passed()) stop 1

contains

  !> Solves A x = b for the b of a known x. PDGESV overwrites a_square with its factors.
  subroutine solve_system()
    type(matrix) :: b_square
    integer, allocatable :: pivots(:)
    integer :: i, info
    external :: pdgesv

    b = new_matrix(row_grid, n, 1, height, 1)
    x = b
    b_square = new_matrix(square_grid, n, 1, block, 1)
    do i = 1, held
      b%local(i, 1) = dot_product(a%local(i, :), known())
    end do
    call redistribute(b, b_square, seconds(repeats + 1))

    allocate (pivots(size(a_square%local, 1) + block))
    solve_time = MPI_Wtime()
    call pdgesv(n, 1, a_square%local, 1, 1, a_square%desc, pivots, b_square%local, 1, 1, b_square%desc, info)
    solve_time = MPI_Wtime() - solve_time
    if (info /= 0) error stop 'solve: PDGESV failed'

    call redistribute(b_square, x, seconds(repeats + 2))
    solve_error = solve_residual(a, x, b)
  end subroutine

  pure function known() result(values)
    real(real64) :: values(n)
    integer :: i

    values = [(1 + real(i, real64)/n, i=1, n)]
  end function

  subroutine solve_eigenproblem()
    type(matrix) :: v_square
    real(real64), allocatable :: work(:)
    real(real64) :: wanted(1)
    integer :: info
    external :: pdsyev

    call redistribute(a, a_square, seconds(repeats + 3))
    v_square = new_matrix(square_grid, n, n, block, block)
    allocate (lambda(n))
    call pdsyev('V', 'U', n, a_square%local, 1, 1, a_square%desc, lambda, v_square%local, 1, 1, v_square%desc, &
                wanted, -1, info)
    if (info /= 0) error stop 'solve: PDSYEV failed'
    allocate (work(int(wanted(1))))
    eigen_time = MPI_Wtime()
    call pdsyev('V', 'U', n, a_square%local, 1, 1, a_square%desc, lambda, v_square%local, 1, 1, v_square%desc, &
                work, size(work), info)
    eigen_time = MPI_Wtime() - eigen_time
    if (info /= 0) error stop 'solve: PDSYEV failed'

    v = new_matrix(row_grid, n, n, height, n)
    call redistribute(v_square, v, seconds(repeats + 4))
    eigen_error = eigen_residual(a, v, lambda)
    v_error = orthogonality(v)
  end subroutine

  !> Returns a weighted mean. The order of the sum does not depend on the number of processes.
  real(real64) function checksum(values)
    real(real64), intent(in) :: values(:)
    integer :: i

    checksum = sum([(values(i)*i, i=1, size(values))])/size(values)
  end function

  !> Returns the median; of an even number of values, the upper one.
  pure real(real64) function median(x)
    real(real64), intent(in) :: x(:)
    integer :: k

    median = minval(x, [(count(x <= x(k)) > size(x)/2, k=1, size(x))])
  end function

  logical function passed()
    passed = solve_error <= tolerance .and. eigen_error <= tolerance .and. v_error <= tolerance
  end function

  subroutine report_start()
    if (process /= 0) return
    print '(a)', '# a covariance matrix: A x = b and all eigenpairs'
    print counted, 'n', n
    print counted, 'processes', processes
    print '(a, t26, i0, a)', 'row_grid', processes, 'x1'
    print '(a, t26, i0, a, i0)', 'square_grid', square_rows, 'x', square_columns
    flush (output_unit)
  end subroutine

  subroutine report()
    real(real64) :: solution(n)
    external :: dgsum2d

    solution = 0
    solution(first:first + held - 1) = x%local(:held, 1)
    call dgsum2d(row_grid, 'All', ' ', n, 1, solution, n, -1, -1)
    if (process /= 0) return
    print measured, 'tolerance', tolerance
    print measured, 'solve_residual', solve_error
    print measured, 'x_error', maxval(abs(solution - known()))
    print measured, 'x_checksum', checksum(solution)
    print measured, 'eigen_residual', eigen_error
    print measured, 'orthogonality', v_error
    print measured, 'lambda_min', lambda(1)
    print measured, 'lambda_max', lambda(n)
    print measured, 'lambda_checksum', checksum(lambda)
    print timed, 'pdsyev_seconds', eigen_time
    print timed, 'pdgesv_seconds', solve_time
    print counted, 'redistributions', size(seconds)
    print timed, 'redistribution_median', median(seconds(:repeats))
    print timed, 'redistribution_total', sum(seconds)
    print '(a, t26, a)', 'status', merge('passed', 'failed', passed())
    if (.not. passed()) write (error_unit, '(a)') 'solve: a residual is above the tolerance'
    flush (output_unit)
  end subroutine

end program solve
