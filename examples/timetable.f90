! SPDX-License-Identifier: BSD-3-Clause
!> The times of a work that is done in two ways: those of its parts on the slowest process, the least of several
!! repetitions.
module timetable
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  public :: start_clock, lap, milliseconds_of, keep_times, print_times

  integer, parameter :: most_parts = 10
  real(real64) :: seconds(most_parts + 1), least(most_parts + 1, 2) = huge(seconds)  ! of each part, and of all
  integer(int64) :: last_tick

contains

  !> For all processes of a grid, which begin together.
  subroutine start_clock(grid)
    integer, intent(in) :: grid
    external :: blacs_barrier

    seconds = 0
    call blacs_barrier(grid, 'All')
    call system_clock(last_tick)
  end subroutine

  !> The time since the last lap, or the start, was that of a part of the work, which may have several.
  subroutine lap(part)
    integer, intent(in) :: part
    integer(int64) :: tick, rate

    call system_clock(tick, rate)
    seconds(part) = seconds(part) + real(tick - last_tick, real64)/real(rate, real64)
    last_tick = tick
  end subroutine

  !> What a part has taken on this process since the start.
  real(real64) function milliseconds_of(part)
    integer, intent(in) :: part

    milliseconds_of = 1000*seconds(part)
  end function

  !> At the end of a repetition, for all processes of the grid.
  subroutine keep_times(grid, way)
    integer, intent(in) :: grid, way
    external :: dgamx2d

    seconds(most_parts + 1) = sum(seconds(:most_parts))
    call dgamx2d(grid, 'All', ' ', size(seconds), 1, seconds, size(seconds), 0, 0, -1, -1, -1)
    where (seconds > 0) least(:, way) = min(least(:, way), seconds)
  end subroutine

  subroutine print_times(ways, parts)
    character(len=*), intent(in) :: ways(2), parts(:)
    integer :: part

    print '(a, t26, 2a12)', 'milliseconds', adjustr(ways)
    do part = 1, size(parts)
      call print_line(parts(part), least(part, :))
    end do
    call print_line('all', least(most_parts + 1, :))
  end subroutine

  !> What has no time was not done.
  subroutine print_line(name, times)
    character(len=*), intent(in) :: name
    real(real64), intent(in) :: times(2)
    character(len=12) :: text(2)
    integer :: way

    do way = 1, 2
      write (text(way), '(f12.2)') 1000*times(way)
      if (times(way) >= huge(times)) text(way) = repeat(' ', 11)//'-'
    end do
    print '(a, t26, 2a)', name, text
  end subroutine

end module timetable
