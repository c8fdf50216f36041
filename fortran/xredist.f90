!> Explicit interfaces of ScaLAPACK's redistribution, P?GEMR2D and P?TRMR2D.
!!
!!     B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
!!
!! for any two block-cyclic distributions on any two process grids; elements are copied bit by bit. P?TRMR2D moves the
!! upper (UPLO = 'U') or lower ('L') trapezoid, without its diagonal if DIAG = 'U'.
!!
!! The routines have their usual external names, so a program that uses this module runs with xredist or with
!! ScaLAPACK's own routines, whichever is linked first.
!!
!! Indices are global and counted from 1, sizes count elements, and integers are of the default kind: with gfortran's
!! -fdefault-integer-8 they have 64 bits, as libxredist_scalapack_ilp64 takes them. DESCA and DESCB are array
!! descriptors as DESCINIT makes them. CTXT is a BLACS context that covers all processes of both grids; all processes of
!! CTXT call. A process outside a grid sets DESC(2) = -1 for that matrix; its other values for the matrix are not read.
!! A and B must not overlap, unless all data are on one process. Nothing is returned: an error is named on stderr and
!! ends the program.
!!
!! The specific names take local arrays of any rank. The generic names (pgemr2d, ptrmr2d) choose by type; for these the
!! standard requires local arrays of rank 1.
module xredist
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  private

  public :: pgemr2d, pigemr2d, psgemr2d, pdgemr2d, pcgemr2d, pzgemr2d
  public :: ptrmr2d, pitrmr2d, pstrmr2d, pdtrmr2d, pctrmr2d, pztrmr2d

  interface pgemr2d
    subroutine pigemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      integer, intent(in) :: a(*)
      integer, intent(inout) :: b(*)
    end subroutine
    subroutine psgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real32), intent(in) :: a(*)
      real(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pdgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real64), intent(in) :: a(*)
      real(real64), intent(inout) :: b(*)
    end subroutine
    subroutine pcgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real32), intent(in) :: a(*)
      complex(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pzgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real64), intent(in) :: a(*)
      complex(real64), intent(inout) :: b(*)
    end subroutine
  end interface

  interface ptrmr2d
    subroutine pitrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      integer, intent(in) :: a(*)
      integer, intent(inout) :: b(*)
    end subroutine
    subroutine pstrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real32), intent(in) :: a(*)
      real(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pdtrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real64), intent(in) :: a(*)
      real(real64), intent(inout) :: b(*)
    end subroutine
    subroutine pctrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real32), intent(in) :: a(*)
      complex(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pztrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real64), intent(in) :: a(*)
      complex(real64), intent(inout) :: b(*)
    end subroutine
  end interface

end module xredist
