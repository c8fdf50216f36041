! SPDX-License-Identifier: BSD-3-Clause
!> Explicit interface of XREDIST_GRIDMAP, which chooses the processes of B's grid before the program creates the grid, so
!! that the most elements of
!!
!!     B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
!!
!! stay on the process that already holds them. ScaLAPACK has no such routine: a program that uses it needs xredist.
!!
!!     call xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, usermap, nprow, kept)
!!     call blacs_get(ctxt, 10, target_grid)
!!     call blacs_gridmap(target_grid, usermap, nprow, nprow, npcol)
!!
!! INFO is optional: 0 or a code of module xredist. Without INFO, an error prints a sentence and ends the program.
!!
!! xredist/gridmap.h and the manual page xredist_gridmap(3) describe the arguments.
module xredist_mapping
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  public :: xredist_gridmap

  interface
    subroutine xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, usermap, ldumap, kept, &
                               info)
      import :: real64
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, ldumap
      integer, intent(inout) :: usermap(ldumap, *)
      real(real64), intent(out) :: kept(2)
      integer, intent(out), optional :: info
    end subroutine
  end interface

end module xredist_mapping
