! SPDX-License-Identifier: BSD-3-Clause
!> Makes and destroys a plan without INFO.
subroutine make_plan(ctxt, n, desca, descb)
  use xredist
  implicit none

  integer, intent(in) :: ctxt, n, desca(9), descb(9)
  type(xredist_plan) :: plan

  call xredist_plan_create(plan, ctxt, n, n, desca, descb, 'D')
  call xredist_plan_destroy(plan)
end subroutine
