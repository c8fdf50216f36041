! SPDX-License-Identifier: BSD-3-Clause
!> Factors a matrix in one run, and solves with the factor in later runs on any number of processes:
!!
!!     mpirun -np 4 ./restart factor factor.npy
!!     mpirun -np 6 ./restart solve factor.npy
program restart
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist_files, only: xredist_read, xredist_write
  implicit none
  integer, parameter :: n = 500, block = 32
  real(real64), parameter :: ratio = 0.9_real64
  integer :: me, processes, ctxt, nprow, npcol, row, col, rows, cols, i, j, desca(9), descb(9), info = 0
  real(real64), allocatable :: a(:, :), b(:)
  integer, external :: indxl2g, numroc
  character(len=10) :: action
  character(len=200) :: file
  call get_command_argument(1, action)
  call get_command_argument(2, file)
  call blacs_pinfo(me, processes)
  nprow = int(sqrt(real(processes)))
  npcol = processes/nprow
  call blacs_get(-1, 0, ctxt)
  call blacs_gridinit(ctxt, 'Row', nprow, npcol)
  call blacs_gridinfo(ctxt, nprow, npcol, row, col)
  if (row >= 0) then
    rows = numroc(n, block, row, 0, nprow)
    cols = numroc(n, block, col, 0, npcol)
    call descinit(desca, n, n, block, block, 0, 0, ctxt, max(1, rows), info)
    call descinit(descb, n, 1, block, block, 0, 0, ctxt, max(1, rows), info)
    allocate (a(max(1, rows), cols), b(max(1, rows)))
    if (action == 'factor') then
      do j = 1, cols
        do i = 1, rows
          a(i, j) = element(indxl2g(i, block, row, 0, nprow), indxl2g(j, block, col, 0, npcol))
        end do
      end do
      call pdpotrf('L', n, a, 1, 1, desca, info)
      call xredist_write(ctxt, n, n, a, 1, 1, desca, file)
    else
      call xredist_read(ctxt, n, n, a, 1, 1, desca, file)
      b(:rows) = [(row_sum(indxl2g(i, block, row, 0, nprow)), i=1, rows)]  ! A times a vector of ones
      call pdpotrs('L', n, 1, a, 1, 1, desca, b, 1, 1, descb, info)
      if (col == 0 .and. any(abs(b(:rows) - 1) > 1e-9_real64)) error stop 'wrong'
    end if
    if (me == 0) print '(a, i0, a)', trim(action)//' on ', nprow*npcol, ' processes: right'
  end if
  call blacs_exit(0)
contains
  ! All elements differ from 0.
  real(real64) function element(i, j)
    integer, intent(in) :: i, j
    element = ratio**abs(i - j)
  end function
  real(real64) function row_sum(i)
    integer, intent(in) :: i
    row_sum = (1 + ratio - ratio**i - ratio**(n - i + 1))/(1 - ratio)
  end function
end program restart
