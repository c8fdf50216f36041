!> Explicit interface of XREDIST_GRIDMAP: which process at which position of a grid that is about to be
!! created, so that the most elements of
!!
!!     B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
!!
!! stay on the process that holds them already. ScaLAPACK has no such routine: a program that uses it needs
!! xredist, while one that uses module xredist only runs with either.
!!
!!     call xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, usermap, nprow, kept)
!!     call blacs_get(ctxt, 10, target_grid)
!!     call blacs_gridmap(target_grid, usermap, nprow, nprow, npcol)
!!
!! MB, NB, RSRC and CSRC are B's, on its grid of NPROW x NPCOL processes. CTXT covers A's grid, and its processes,
!! NPROW NPCOL or more, are those that B's grid may have; all of them call, with equal arguments. One outside of
!! A's grid sets DESCA(2) = -1, and its other values for A are not looked at. USERMAP(i, j) is the process for row
!! i - 1, column j - 1 of B's grid as BLACS_PNUM(CTXT, ...) numbers it, the same on all processes. KEPT(1) is the
!! fraction of the elements that stays with this map, KEPT(2) with the row-major grid of CTXT's processes.
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
