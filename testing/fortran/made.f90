! SPDX-License-Identifier: BSD-3-Clause
!> Tests plans without their execution, which flang 16 cannot compile.
program made
  use columns_and_rows
  use xredist
  use xredist_library
  implicit none

  integer, parameter :: n = 13
  type(xredist_plan) :: plan
  type(xredist_plan_info) :: costs
  type(xredist_request) :: none
  integer :: info
  logical :: done
  character(len=256) :: build

  call begin(n)
  call xredist_set_option(grid_rows, 'buffer', '2M', info)
  call expect('set_option', info == 0)
  call xredist_plan_create(plan, grid_rows, n, n, descriptor_columns, descriptor_rows, 'D', info=info)
  call expect('plan_create', info == 0)
  call xredist_plan_query(plan, costs, info)
  call expect('plan_query', info == 0 .and. costs%rows_b == rows .and. costs%bytes_received + costs%bytes_kept == 8*n*rows)
  call xredist_plan_destroy(plan)
  call xredist_plan_create(plan, grid_rows, -1, n, descriptor_columns, descriptor_rows, 'D', info=info)
  call refused(info, 'plan_create', 'm is -1')
  call xredist_test(none, done, info)
  call expect('test', info == 0 .and. done)
  call xredist_wait(none, info)
  call expect('wait', info == 0)
  call xredist_build(build)
  call expect('build', index(build, 'xredist ') == 1)
  call finish('plans made')
end program made
