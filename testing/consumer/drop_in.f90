! SPDX-License-Identifier: BSD-3-Clause
! Copies a small matrix from rows to columns, and checks in the log that xredist did it.
! usage: drop_in LOG, with XREDIST_VERBOSE=1
program drop_in
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist
  use xredist_library
  implicit none
  integer, parameter :: n = 6
  integer :: me, processes, rows, columns, desca(9), descb(9), nprow, npcol, row, column, j, held, status
  integer, external :: numroc
  external :: blacs_exit, blacs_get, blacs_gridinfo, blacs_gridinit, blacs_pinfo
  real(real64), allocatable :: a(:,:), b(:,:)
  character(len=256) :: text, log

  call blacs_pinfo(me, processes)
  call get_command_argument(1, log)
  if (me == 0) then
    open(10, file=log, status='replace')
    close(10)
    call xredist_set_log(log, status)  ! only the first process writes messages that are not errors
    if (status /= 0) error stop 'the log cannot be written'
    call xredist_build(text)
    print '(a)', trim(text)
    call xredist_version(text)
    if (text == '' .or. verify(trim(text), '0123456789.') /= 0) error stop 'no version'
  end if

  call blacs_get(-1, 0, rows)
  columns = rows
  call blacs_gridinit(rows, 'R', processes, 1)
  call blacs_gridinit(columns, 'R', 1, processes)

  call blacs_gridinfo(rows, nprow, npcol, row, column)
  held = numroc(n, 1, row, 0, nprow)
  allocate(a(held, n))
  do j = 1, n
    a(:, j) = j
  end do
  desca = [1, rows, n, n, 1, n, 0, 0, max(1, held)]

  call blacs_gridinfo(columns, nprow, npcol, row, column)
  allocate(b(n, numroc(n, 1, column, 0, npcol)))
  b = 0
  descb = [1, columns, n, n, n, 1, 0, 0, n]

  call pdgemr2d(n, n, a, 1, 1, desca, b, 1, 1, descb, rows)
  do j = 1, size(b, 2)
    if (any(abs(b(:, j) - (column + 1 + (j - 1)*npcol)) > 0)) error stop 'wrong elements'
  end do
  if (me == 0) then
    open(10, file=log, status='old')
    read(10, '(a)', iostat=status) text
    if (status /= 0 .or. index(text, 'xredist: PDGEMR2D plans') /= 1) error stop 'not moved by xredist'
    print '(a)', 'right'
  end if
  call blacs_exit(0)
end program drop_in
