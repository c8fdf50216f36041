! SPDX-License-Identifier: BSD-3-Clause
!> Computes all eigenvectors of a matrix in slabs of columns, which PDSYEVD refuses, and leaves them in slabs. The memory
!! of a matrix goes back to the system while the matrix moves.
program slabs_to_eigenvectors
  use, intrinsic :: iso_fortran_env, only: real64
  use xredist, only: xredist_move, xredist_plan, xredist_plan_create
  use xredist_solvers, only: xredist_fit, xredist_tell
  implicit none
  integer, parameter :: n = 1000
  real(real64), parameter :: r = 0.9_real64  ! A(i, j) = r**abs(i - j): all elements differ from 0
  integer :: me, processes, ctxt, width, first, last, rows, cols, i, j, desca(9), descb(9), sizes(1), info = 0
  real(real64) :: w(n), room(1)
  real(real64), allocatable :: a(:, :), b(:, :), z(:, :), work(:)
  integer, allocatable :: iwork(:)
  type(xredist_plan) :: there, back
  call blacs_pinfo(me, processes)
  call blacs_get(-1, 0, ctxt)
  call blacs_gridinit(ctxt, 'Row', 1, processes)
  width = (n + processes - 1)/processes
  call descinit(desca, n, n, n, width, 0, 0, ctxt, n, info)
  first = min(me*width, n) + 1  ! this process has columns first, first + 1 ... last
  last = min(n, first + width - 1)
  allocate (a(n, last - first + 1))
  a(:, :) = reshape([((r**abs(i - j), i=1, n), j=first, last)], shape(a))
  call xredist_fit(ctxt, n, n, desca, descb, rows, cols, solver='scalapack')
  call xredist_plan_create(there, ctxt, n, n, desca, descb, 'D')
  call xredist_plan_create(back, ctxt, n, n, descb, desca, 'D')
  allocate (b(rows, cols), z(rows, cols))
  call xredist_move(there, a, b)
  if (descb(2) >= 0) then
    call pdsyevd('V', 'L', n, b, 1, 1, descb, w, z, 1, 1, descb, room, -1, sizes, 1, info)
    allocate (work(int(room(1))), iwork(sizes(1)))
    call pdsyevd('V', 'L', n, b, 1, 1, descb, w, z, 1, 1, descb, work, size(work), iwork, size(iwork), info)
  end if
  deallocate (b)
  if (allocated(work)) deallocate (work)
  call xredist_move(back, z, a)
  call xredist_tell(ctxt, descb, w)
  ! The inverse of A is tridiagonal: between the first and the last row, -r, 1 + r**2 and -r, divided by 1 - r**2.
  if (any(abs(((1 + r**2)*a(2:n - 1, :) - r*(a(:n - 2, :) + a(3:, :)))*spread(w(first:last), 1, n - 2) &
              - (1 - r**2)*a(2:n - 1, :)) > 1e-11_real64) .or. any(abs(sum(a**2, dim=1) - 1) > 1e-11_real64)) error stop 'wrong'
  if (me == 0) print '(i0, a)', n, ' eigenvectors: right'
  call blacs_exit(0)
end program slabs_to_eigenvectors
