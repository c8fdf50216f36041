! SPDX-License-Identifier: BSD-3-Clause
!> Which library a program runs with, and where its messages go. ScaLAPACK has no such routines: a program that uses
!! this module needs xredist.
!!
!!     character(len=256) :: build
!!     call xredist_build(build)
!!
!! XREDIST_VERSION gives the library's version, XREDIST_BUILD what it was built with: MPI, ScaLAPACK, compiler and size
!! of integers. A text is padded with blanks, or cut.
!!
!! XREDIST_SET_LOG sends the messages of this process to 'stderr', to nowhere ('none'), or to the end of the file that
!! has any other name, as the variable XREDIST_LOG does until then. ERROR is 0, or -1 if the file cannot be written.
module xredist_library
  implicit none
  private

  public :: xredist_build, xredist_set_log, xredist_version

  interface
    subroutine xredist_version(text)
      character(len=*), intent(out) :: text
    end subroutine
    subroutine xredist_build(text)
      character(len=*), intent(out) :: text
    end subroutine
    subroutine xredist_set_log(place, error)
      character(len=*), intent(in) :: place
      integer, intent(out) :: error
    end subroutine
  end interface

end module xredist_library
