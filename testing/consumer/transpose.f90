! SPDX-License-Identifier: BSD-3-Clause
! Transposes a small matrix with PBLAS's routine, and checks in the log that xredist did it.
! usage: transpose LOG, with XREDIST_VERBOSE=1
program transpose
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist_library
  implicit none
  integer, parameter :: n = 6
  integer :: me, processes, grid, desc(9), nprow, npcol, row, column, i, held, status
  integer, external :: indxl2g, numroc
  external :: blacs_exit, blacs_get, blacs_gridinfo, blacs_gridinit, blacs_pinfo, pdtran
  real(real64), allocatable :: a(:,:), c(:,:)
  character(len=256) :: text, log

  call blacs_pinfo(me, processes)
  call get_command_argument(1, log)
  if (me == 0) then
    open(10, file=log, status='replace')
    close(10)
    call xredist_set_log(log, status)
    if (status /= 0) error stop 'the log cannot be written'
  end if

  call blacs_get(-1, 0, grid)
  call blacs_gridinit(grid, 'R', processes, 1)
  call blacs_gridinfo(grid, nprow, npcol, row, column)
  held = numroc(n, 1, row, 0, nprow)
  allocate(a(held, n), c(held, n))
  do i = 1, held
    a(i, :) = indxl2g(i, 1, row, 0, nprow)
  end do
  c = 0
  desc = [1, grid, n, n, 1, 1, 0, 0, max(1, held)]

  call pdtran(n, n, 1.0_real64, a, 1, 1, desc, 0.0_real64, c, 1, 1, desc)
  do i = 1, n
    if (any(abs(c(:, i) - i) > 0)) error stop 'wrong elements'
  end do
  if (me == 0) then
    open(10, file=log, status='old')
    read(10, '(a)', iostat=status) text
    if (status /= 0 .or. index(text, 'xredist: PDTRAN plans') /= 1) error stop 'not transposed by xredist'
    print '(a)', 'right'
  end if
  call blacs_exit(0)
end program transpose
