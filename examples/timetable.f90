! SPDX-License-Identifier: BSD-3-Clause
!> A table of times: the phases of a computation that a program does in two variants. The time of a phase is that of the
!! slowest process, and the minimum over the repetitions.
module timetable
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  public :: start_clock, lap, milliseconds_of, keep_times, print_times

  integer, parameter :: max_phases = 10, total = max_phases + 1
  real(real64) :: seconds(total), minimum(total, 2) = huge(seconds)
  integer(int64) :: last_tick

contains

  !> Starts a repetition on all processes of a grid.
  subroutine start_clock(grid)
    integer, intent(in) :: grid
    external :: blacs_barrier

    seconds = 0
    call blacs_barrier(grid, 'All')
    call system_clock(last_tick)
  end subroutine

  !> Adds the time since the last lap, or since the start, to a phase.
  subroutine lap(phase)
    integer, intent(in) :: phase
    integer(int64) :: tick, rate

    call system_clock(tick, rate)
    seconds(phase) = seconds(phase) + real(tick - last_tick, real64)/real(rate, real64)
    last_tick = tick
  end subroutine

  !> Returns the time of a phase on this process since the start.
  real(real64) function milliseconds_of(phase)
    integer, intent(in) :: phase

    milliseconds_of = 1000*seconds(phase)
  end function

  !> Ends a repetition on all processes of the grid.
  subroutine keep_times(grid, variant)
    integer, intent(in) :: grid, variant
    external :: dgamx2d

    seconds(total) = sum(seconds(:max_phases))
    call dgamx2d(grid, 'All', ' ', size(seconds), 1, seconds, size(seconds), 0, 0, -1, -1, -1)
    where (seconds > 0) minimum(:, variant) = min(minimum(:, variant), seconds)
  end subroutine

  !> Prints a table in milliseconds; a hyphen stands for a phase that a variant does not have.
  subroutine print_times(variants, phases)
    character(len=*), intent(in) :: variants(2), phases(:)
    character(len=12) :: text(2)
    integer :: phase, row, variant

    print '(a, t26, 2a12)', 'milliseconds', adjustr(variants)
    do phase = 1, size(phases) + 1
      row = merge(phase, total, phase <= size(phases))
      do variant = 1, 2
        write (text(variant), '(f12.2)') 1000*minimum(row, variant)
        if (minimum(row, variant) >= huge(seconds)) text(variant) = repeat(' ', 11)//'-'
      end do
      if (row < total) print '(a, t26, 2a)', phases(phase), text
    end do
    print '(a, t26, 2a)', 'all', text
  end subroutine

end module timetable
