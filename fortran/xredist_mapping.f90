! SPDX-License-Identifier: BSD-3-Clause
!> Explicit interface of XREDIST_GRIDMAP, which chooses the process for each position of a grid that is about to be
!! created, so that the most elements of
!!
!!     B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
!!
!! stay on the process that already holds them. ScaLAPACK has no such routine: a program that uses it needs xredist,
!! whereas a program that uses only module xredist runs with either library.
!!
!!     call xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, usermap, nprow, kept)
!!     call blacs_get(ctxt, 10, target_grid)
!!     call blacs_gridmap(target_grid, usermap, nprow, nprow, npcol)
!!
!! MB, NB, RSRC and CSRC are those of B, on its grid of NPROW x NPCOL processes. CTXT covers A's grid. B's grid gets
!! processes of CTXT, which has at least NPROW NPCOL; all processes of CTXT call, with equal arguments. A process
!! outside A's grid sets DESCA(2) = -1; its other values for A are not read. USERMAP(i, j) is the process for row i - 1,
!! column j - 1 of B's grid, as BLACS_PNUM(CTXT, ...) numbers it, the same on all processes. KEPT(1) is the fraction of
!! the elements that stay with this map, KEPT(2) that with the row-major grid of the processes of CTXT.
module xredist_mapping
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  public :: xredist_gridmap

  interface
    subroutine xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, usermap, ldumap, kept)
      import :: real64
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, ldumap
      integer, intent(inout) :: usermap(ldumap, *)
      real(real64), intent(out) :: kept(2)
    end subroutine
  end interface

end module xredist_mapping
