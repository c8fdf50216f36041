! SPDX-License-Identifier: BSD-3-Clause
!> Tests module xredist_solvers: layouts for solvers, there and back, what is told, and errors. At the end BLACS_EXIT frees
!! a grid of the library before the context of the program.
program fits
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: real64
  use columns_and_rows
  use xredist
  use xredist_solvers
  implicit none

  integer, parameter :: n = 40
  integer :: info

  call begin(n)
  call there_and_back()
  call with_communicator()
  call refusals()
  call leave_a_grid()
  call finish('fits right')

contains

  ! Eigenvalues would be told as W and INFO are here.
  subroutine there_and_back()
    type(xredist_plan) :: there, back
    integer :: descriptor(9), same(9), b_rows, b_cols, i, j, told, nprow, npcol, row, col
    real(real64) :: a(n, columns), w(3)
    real(real64), allocatable :: b(:, :)
    character(len=200) :: solver
    external :: blacs_gridinfo

    call xredist_fit(grid_columns, n, n, descriptor_columns, descriptor, b_rows, b_cols, solver='scalapack', block=5, &
                     min_block=1, share=0, info=info)
    call expect('fit', info == 0 .and. all(descriptor(3:8) == [n, n, 5, 5, 0, 0]))
    call expect('local array', (descriptor(2) >= 0) .eqv. (b_rows*b_cols > 0))
    solver = 'ScaLAPACK'
    call xredist_fit(grid_columns, n, n, descriptor_columns, same, b_rows, b_cols, solver=solver, block=5, min_block=1, &
                     share=0)
    call expect('the same grid', all(same == descriptor))
    allocate (b(b_rows, b_cols))
    do j = 1, columns
      do i = 1, n
        a(i, j) = element(i, indxl2g(j, 2, column, 0, processes))
      end do
    end do
    call xredist_plan_create(there, grid_columns, n, n, descriptor_columns, descriptor, 'D')
    call xredist_plan_create(back, grid_columns, n, n, descriptor, descriptor_columns, 'D')
    call xredist_execute(there, a, b)
    call blacs_gridinfo(descriptor(2), nprow, npcol, row, col)
    if (col >= 0) then
      call expect('grid', nprow == 1)
      call expect('there', is(b(1, 1), element(1, indxl2g(1, 5, col, 0, npcol))))
    end if
    a = 0
    call xredist_execute(back, b, a)
    do j = 1, columns
      call expect('back', is(a(n, j), element(n, indxl2g(j, 2, column, 0, processes))))
    end do
    call xredist_plan_destroy(there)
    call xredist_plan_destroy(back)

    w = process + 1
    told = process + 5
    call xredist_tell(grid_columns, descriptor, w)
    call xredist_tell(grid_columns, descriptor, told, info)
    call expect('tell', info == 0 .and. is(w(1), w(3)) .and. told == nint(w(1)) + 4)
    call xredist_fit_free(grid_columns, info)
    call expect('free', info == 0)
  end subroutine

  ! The last process holds all of A.
  subroutine with_communicator()
    type(xredist_layout) :: b
    integer :: comm, told
    integer, allocatable :: ranks(:)
    integer(c_int64_t) :: bounds(2)
    external :: blacs_get

    bounds = [0, n]
    allocate (ranks(0:processes - 1))
    call blacs_get(grid_rows, 10, comm)
    call xredist_fit(comm, n, n, xredist_layout(1, 1, n, n), b, ranks, solver=' ', columns=n)
    call expect('a process for each n columns', b%nprow*b%npcol == 1)
    call xredist_fit(comm, n, n, xredist_layout(1, 1, n, n), b, ranks, solver=' ', processes=1, block=8, rows_a=bounds, &
                     ranks_a=[processes - 1], info=info)
    call expect('fit of a communicator', info == 0 .and. b%nprow*b%npcol == 1 .and. b%mb == 8)
    call expect('rank', lbound(ranks, 1) == 0 .and. ranks(0) == processes - 1)
    told = process
    call xredist_tell(comm, b, told, ranks=ranks(:0), info=info)
    call expect('tell of a communicator', info == 0 .and. told == processes - 1)
  end subroutine

  subroutine refusals()
    integer :: descriptor(9), b_rows, b_cols, few(0), comm
    type(xredist_layout) :: b
    real(real64) :: w(6)
    external :: blacs_get

    call xredist_fit(grid_rows, n, n, descriptor_rows, descriptor, b_rows, b_cols, solver='mumps', info=info)
    call refused(info, 'solver', 'solver is "mumps", must be one of scalapack, elpa')
    call xredist_fit(grid_rows, n, n, descriptor_rows, descriptor, b_rows, b_cols, block=8, info=info)
    call refused(info, 'block', 'rules.block is 8, must be at least min_block = 16')
    call xredist_fit(grid_rows, n, n, descriptor_rows, descriptor, b_rows, b_cols, owners_rows_a=[0], info=info)
    call refused(info, 'owners', 'owners_rows_a is present, but rows_a is absent')
    call blacs_get(grid_rows, 10, comm)
    call xredist_fit(comm, n, n, xredist_layout(1, 1, n, n), b, few, info=info)
    call refused(info, 'ranks', 'ranks has 0 elements, must have')
    w = 0
    call xredist_tell(grid_rows, descriptor_rows, w(::2), info)
    call refused(info, 'tell', 'data is not contiguous')
    call xredist_fit_free(-1, info)
    call refused(info, 'free', 'ctxt is -1')
  end subroutine

  ! The library's grid gets a lower number than the context of the program.
  subroutine leave_a_grid()
    integer :: first, second, descriptor(9), b_rows, b_cols
    external :: blacs_get, blacs_gridexit, blacs_gridinit

    call blacs_get(-1, 0, first)
    call blacs_gridinit(first, 'Row', 1, processes)
    call blacs_get(-1, 0, second)
    call blacs_gridinit(second, 'Row', 1, processes)
    call blacs_gridexit(first)
    call xredist_fit(second, n, n, descriptor_columns, descriptor, b_rows, b_cols, solver=' ', processes=1)
    if (descriptor(2) >= 0) call expect('number', descriptor(2) < second)
  end subroutine
end program fits
