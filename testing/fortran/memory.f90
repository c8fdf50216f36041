! SPDX-License-Identifier: BSD-3-Clause
!> Each allocation of each collective routine fails once, on one process or on all. No process waits for another one for
!! ever, and all processes of a routine that agrees on its failure have the same INFO.
program memory
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  use mpi
  use xredist
  use xredist_files, only: xredist_read, xredist_write
  use xredist_solvers, only: xredist_fit, xredist_tell
  implicit none

  interface
    subroutine fail_allocation(k) bind(c)
      import :: c_int
      integer(c_int), value :: k
    end subroutine
    function stop_failing() bind(c)
      import :: c_int
      integer(c_int) :: stop_failing
    end function
  end interface

  integer, parameter :: n = 12
  character(len=*), parameter :: routines(10) = [character(len=11) :: 'write', 'read', 'fit', 'plan', 'tell', &
                                                 'plan_blacs', 'write_blacs', 'read_blacs', 'fit_blacs', 'plan_arrays']
  integer :: failures = 0, rank, processes, error, ctxt, desc(9), r, victim
  integer(c_int64_t) :: bounds(3) = [0_c_int64_t, 5_c_int64_t, int(n, c_int64_t)]
  integer, allocatable :: ranks(:)
  character(len=32) :: file
  double precision :: a(n, n)
  type(xredist_layout) :: layout

  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, processes, error)
  write (file, '(a, i0, a)') 'fortran_memory_', processes, '.npy'
  ranks = [(r, r = 0, processes - 1)]
  layout = xredist_layout(processes, 1, 3, 3)
  a = rank
  call blacs_get(-1, 0, ctxt)
  call blacs_gridinit(ctxt, 'R', processes, 1)
  desc = [1, ctxt, n, n, 3, 3, 0, 0, n]
  call xredist_write(ctxt, n, n, a, 1, 1, desc, file)

  do r = 1, size(routines)
    do victim = -1, processes - 1, processes
      call fail_each_allocation(trim(routines(r)), victim)
    end do
  end do

  call mpi_allreduce(mpi_in_place, failures, 1, mpi_integer, mpi_sum, mpi_comm_world, error)
  if (rank == 0 .and. failures == 0) print '(a)', 'memory right'
  if (rank == 0) open (10, file=file)
  if (rank == 0) close (10, status='delete')
  call blacs_gridexit(ctxt)
  call mpi_finalize(error)
  if (failures > 0) error stop 1

contains

  !> Calls a routine until none of its allocations has failed. `victim`: the rank that lacks memory; -1: all.
  subroutine fail_each_allocation(routine, victim)
    character(len=*), intent(in) :: routine
    integer, intent(in) :: victim
    integer :: k, info, least, greatest, more, of_victim

    do k = 1, 1000
      info = called(routine, merge(k, 0, victim < 0 .or. victim == rank), more)
      call mpi_allreduce(mpi_in_place, more, 1, mpi_integer, mpi_max, mpi_comm_world, error)
      call mpi_allreduce(info, least, 1, mpi_integer, mpi_min, mpi_comm_world, error)
      call mpi_allreduce(info, greatest, 1, mpi_integer, mpi_max, mpi_comm_world, error)
      of_victim = merge(1, 0, more == 1)
      if (least < 0 .or. greatest > of_victim .or. (agrees(routine) .and. least /= greatest)) then
        failures = failures + 1
        print '(3a,i0,a,i0,a,2i3)', 'wrong: ', routine, ', allocation ', k, ' on process ', rank, ': INFO is', info, greatest
      end if
      if (more == 0) exit
    end do
    if (k < 2 .or. k > 1000) then
      failures = failures + 1
      print '(2a,i0,a)', routine, ': ', k - 1, ' allocations'
    end if
  end subroutine

  !> Returns whether all processes of the routine return the same INFO.
  logical function agrees(routine)
    character(len=*), intent(in) :: routine

    agrees = routine /= 'plan' .and. routine /= 'plan_arrays' .and. routine /= 'fit'
  end function

  !> Returns INFO of a call whose k-th allocation fails (k = 0: none). `more`: 1 if an allocation has failed.
  integer function called(routine, k, more) result(info)
    character(len=*), intent(in) :: routine
    integer, intent(in) :: k
    integer, intent(out) :: more
    integer :: chosen(processes), descb(9), rows, cols, comm
    type(xredist_plan) :: plan
    type(xredist_layout) :: fitted

    call mpi_comm_dup(mpi_comm_world, comm, error)
    if (k > 0) call fail_allocation(k)
    select case (routine)
    case ('write')
      call xredist_write(comm, n, n, a, 1, 1, layout, file, ranks=ranks, info=info)
    case ('read')
      call xredist_read(comm, n, n, a, 1, 1, layout, file, ranks=ranks, info=info)
    case ('fit')
      call xredist_fit(comm, 100, 100, layout, fitted, chosen, per_node=2, ranks_a=ranks, info=info)
    case ('plan')
      call xredist_plan_create(plan, comm, n, n, layout, layout, 'D', ranks_a=ranks, rows_b=bounds, &
                               owners_rows_b=[0, processes - 1], info=info)
    case ('tell')
      call xredist_tell(comm, layout, a(:, 1), ranks=ranks, info=info)
    case ('plan_blacs')
      call xredist_plan_create(plan, ctxt, n, n, desc, desc, 'D', rows_a=bounds, owners_rows_a=[0, processes - 1], info=info)
    case ('write_blacs')
      call xredist_write(ctxt, n, n, a, 1, 1, desc, file, rows=bounds, owners_rows=[0, processes - 1], info=info)
    case ('read_blacs')
      call xredist_read(ctxt, n, n, a, 1, 1, desc, file, rows=bounds, owners_rows=[0, processes - 1], info=info)
    case ('fit_blacs')
      call xredist_fit(ctxt, n, n, desc, descb, rows, cols, rows_a=bounds, owners_rows_a=[0, processes - 1], info=info)
    case ('plan_arrays')
      call xredist_plan_create(plan, comm, [n, n, n], xredist_array_layout('(CYCLIC(3), *, *)', [processes, 1, 1]), &
                               xredist_array_layout('(*, GEN_BLOCK(2), *)', [1, processes, 1], order=[2, 1, 3]), 'D', &
                               ranks_a=ranks, bounds_b=bounds, owners_b=[0, processes - 1], info=info)
    end select
    more = stop_failing()
    if (info == 0 .and. index(routine, 'plan') == 1) call xredist_plan_destroy(plan)
    call mpi_comm_free(comm, error)
  end function

end program memory
