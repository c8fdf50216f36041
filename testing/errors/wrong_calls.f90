! SPDX-License-Identifier: BSD-3-Clause
!> Makes a call of a module's routine without INFO, which has an error, or none if `calls` is 0. Sets the sentence with
!! which the call ends the program; blank if there is no call of this number, from 1.
subroutine wrong_call(number, calls, sentence)
  use, intrinsic :: iso_fortran_env, only: real64
  use columns_and_rows
  use xredist
  use xredist_files
  use xredist_solvers
  implicit none

  integer, intent(in) :: number, calls
  character(len=*), intent(out) :: sentence
  integer, parameter :: n = 13
  logical, save :: begun = .false.
  integer :: comm, descriptor(9), place(4)
  type(xredist_array_layout) :: slabs
  type(xredist_plan) :: plan
  type(xredist_request) :: request
  real(real64) :: a(n, n), b(n, n), u(n, n, n)
  real(real64), allocatable, asynchronous, target :: rows_of_b(:, :)
  external :: blacs_get

  if (.not. begun) call begin(n)
  begun = .true.
  if (calls /= 0) call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D')
  call blacs_get(grid_rows, 10, comm)
  allocate (rows_of_b(rows, n))
  slabs = xredist_array_layout('(*, *, BLOCK)', [1, 1, processes])
  sentence = ' '

  select case (number)
  case (1)
    if (says('XREDIST_PLAN_CREATE: n is 13: with jb = 2 it reaches beyond descb, entry 4 (N_) = 13')) &
      call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D', jb=2)
  case (2)
    if (says('XREDIST_SET_OPTION: buffer=much: expected a size such as 64M')) &
      call xredist_set_option(grid_rows, 'buffer', 'much')
  case (3)
    if (says('XREDIST_DESCINIT: ctxt is -1, not a context with this process')) &
      call xredist_descinit(descriptor, n, n, 2, 2, 0, 0, -1)
  case (4)
    if (says('XREDIST_GLOBAL_TO_LOCAL: global_row is 14, must be in 1 .. 13')) &
      call xredist_global_to_local(descriptor_rows, n + 1, 1, place(1), place(2), place(3), place(4))
  case (5)
    if (says('XREDIST_WAIT_MEMBER: member is 2, must be in 1 .. 1, the jobs of the batch')) then
      call xredist_start(plan, a(:, :columns), b(:rows, :), request)
      call xredist_wait_member(request, 2)
    end if
  case (6)
    if (says("XREDIST_WRITE: order is 'X', must be F or C")) &
      call xredist_write(grid_columns, n, n, a(:, :columns), 1, 1, descriptor_columns, 'none', order='X')
  case (7)
    if (says('XREDIST_FIT: solver is "lapack", must be one of scalapack, elpa, elpa-gpu')) &
      call xredist_fit(grid_rows, n, n, descriptor_rows, descriptor, place(1), place(2), solver='lapack')
  case (8)
    if (says('XREDIST_PLAN_CREATE: list_cols_b(3) is 2, as entry (1) is: no element of B may be written twice')) &
      call xredist_plan_create(plan, grid_rows, n, 4, descriptor_columns, descriptor_rows, 'D', list_cols_b=[2, 3, 2, 4])
  case (9)
    if (says('XREDIST_EXECUTE: alpha is REAL, where B of the plan is DOUBLE PRECISION')) &
      call xredist_execute(plan, a(:, :columns), b(:rows, :), alpha=2.0)
  case (10)
    if (says('XREDIST_START: process 0: a is not contiguous, nor a section of contiguous columns')) &
      call xredist_start(plan, a(::2, :), b(:rows, :), request)
  case (11)  ! process 0 of three has five rows of B
    if (says('XREDIST_START: process 0: jobs(2): b has 60 elements, where the plan needs 5 x 13')) &
      call xredist_start([xredist_job(plan, a(:, :columns), rows_of_b), &
                          xredist_job(plan, a(:, :columns), rows_of_b(:, 2:))], request)
  case (12)
    if (says("XREDIST_PLAN_CREATE: a: pattern is '(*, BLOCK, CYKLIC)': 'CYKLIC' is none of")) &
      call xredist_plan_create(plan, comm, [7, 6, 5], xredist_array_layout('(*, BLOCK, CYKLIC)', [1, 1, 1]), slabs, 'D')
  case (13)
    if (says('XREDIST_EXECUTE: process 0: a has extent 6 in dimension 1, where the plan needs 7 elements of axis 1')) then
      call xredist_plan_create(plan, comm, [7, 6, 5], slabs, slabs, 'D')
      call xredist_execute(plan, u(:6, :6, :2), u(:7, :6, :2))
    end if
  end select

contains

  logical function says(text)
    character(len=*), intent(in) :: text

    sentence = text
    says = calls /= 0
  end function
end subroutine
