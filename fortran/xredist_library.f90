! SPDX-License-Identifier: BSD-3-Clause
!> The version of the library that a program runs with, and the destination of its messages. ScaLAPACK has no such
!! routines: a program that uses this module needs xredist.
!!
!!     character(len=256) :: build
!!     call xredist_build(build)
!!
!! XREDIST_VERSION returns the version. XREDIST_BUILD also returns the MPI, the BLACS, the compiler and the integer size
!! of the build. Both texts are padded with blanks, or truncated.
!!
!! XREDIST_SET_LOG sends the messages of this process to 'stderr', to nowhere ('none'), or to the end of the file with any
!! other name. Until then the variable XREDIST_LOG decides. ERROR is 0, or -1 if the file cannot be written.
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
