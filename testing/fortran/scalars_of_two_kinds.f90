! SPDX-License-Identifier: BSD-3-Clause
!> ALPHA and BETA of different kinds: the compiler finds no specific subroutine.
subroutine scalars_of_two_kinds(plan)
  use xredist
  implicit none
  type(xredist_plan), intent(in) :: plan

  call xredist_set_scalars(plan, 2.0d0, 0)
end subroutine
