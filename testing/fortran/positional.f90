! SPDX-License-Identifier: BSD-3-Clause
!> Passes INFO by position where an optional argument must be passed by keyword: each call is an error of the compiler.
program positional
  use xredist
  implicit none
  type(xredist_plan) :: plan
  type(xredist_request) :: request
  type(xredist_layout) :: layout
  type(xredist_array_layout) :: array
  integer :: a(1), b(1), desc(9), rows, cols, prow, pcol, info

  call xredist_plan_create(plan, 0, 1, 1, desc, desc, 'I', info)
  call xredist_plan_create(plan, 0, 1, 1, layout, layout, 'I', info)
  call xredist_plan_create(plan, 0, a, array, array, 'I', info)
  call xredist_local_shape(array, a, 0, b, info)
  array = xredist_array_layout('*', a, b)
  call xredist_execute(plan, a, b, info)
  call xredist_start(plan, a, b, request, info)
  call xredist_local_size(desc, rows, cols, info)
  call xredist_local_size(layout, 1, 1, 0, rows, cols, info)
  call xredist_local_to_global(desc, a, b, info)
  call xredist_local_to_global(layout, 1, 1, 0, a, b, info)
  call xredist_global_to_local(desc, 1, 1, prow, pcol, rows, cols, info)
  call xredist_global_to_local(layout, 1, 1, prow, rows, cols, info)
end program
