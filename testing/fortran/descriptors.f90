! SPDX-License-Identifier: BSD-3-Clause
!> Tests XREDIST_DESCINIT and XREDIST_LOCAL_SIZE beside DESCINIT and NUMROC, and their errors.
program descriptors
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use, intrinsic :: iso_fortran_env, only: int32
  use columns_and_rows
  use xredist
  implicit none

  integer, parameter :: n = 13
  integer :: info
  external :: descinit

  call begin(n)
  call cyclic()
  call wrong()
  call finish('descriptors right')

contains

  ! For block-cyclic dimensions, the results are those of DESCINIT and NUMROC.
  subroutine cyclic()
    integer :: k, local_rows, local_columns, descriptor(9), expected(9), none(9), ranks(processes)
    integer, external :: numroc

    ranks = [(processes - k, k=1, processes)]
    do k = 0, processes - 1
      call descinit(expected, n, 9, 2, 4, k, 0, grid_rows, n + 1, info)
      call xredist_descinit(descriptor, n, 9, 2, 4, k, 0, grid_rows, n + 1, info)
      call expect('DESCINIT', info == 0 .and. all(descriptor == expected))
      call xredist_descinit(descriptor, n, 9, 2, 4, k, 0, grid_rows)
      call expect('LLD_', descriptor(9) == max(1, numroc(n, 2, process, k, processes)))
      call xredist_local_size(descriptor, local_rows, local_columns, info=info)
      call expect('NUMROC', numroc(n, 2, process, k, processes) == local_rows .and. info == 0 .and. local_columns == 9)
      call xredist_local_size(xredist_layout(1, processes, 2, 3, 0, k), 9, n, process, local_rows, local_columns)
      call expect('NUMROC of a layout', numroc(n, 3, process, k, processes) == local_columns .and. local_rows == 9)
      call xredist_local_size(xredist_layout(1, processes, 2, 3), 9, n, k, local_rows, local_columns, ranks=ranks)
      call expect('NUMROC of a permuted grid', local_columns == numroc(n, 3, processes - 1 - k, 0, processes))
    end do
    none = -1
    call xredist_local_size(none, local_rows, local_columns)
    call expect('outside the grid', local_rows == 0 .and. local_columns == 0)
  end subroutine

  ! INFO is DESCINIT's; for a context that does not exist, ScaLAPACK's DESCINIT returns the number of IRSRC.
  subroutine wrong()
    integer :: k, expected_info, unused(2), descriptor(9)
    integer(c_int64_t) :: bounds(processes + 1)
    integer, parameter :: right(8) = [n, n, 2, 2, 0, 0, 0, n]
    integer :: x(8)

    do k = 1, 8
      x = right
      x(k) = merge(9999, -1, k == 5 .or. k == 6)
      x(7) = grid_rows
      expected_info = -k - 1
      if (k == 7) x(7) = -1
      if (k /= 7 .and. kind(k) == kind(1_int32)) &  ! the tests' own 64-bit DESCINIT checks nothing
        call descinit(descriptor, x(1), x(2), x(3), x(4), x(5), x(6), x(7), x(8), expected_info)
      call xredist_descinit(descriptor, x(1), x(2), x(3), x(4), x(5), x(6), x(7), x(8), info)
      call expect('INFO of DESCINIT', info == expected_info .and. info == -k - 1 .and. all(descriptor == 0))
    end do
    bounds = n + 1
    bounds(1) = 0
    call xredist_descinit(descriptor, n, n, 2, 2, 0, 0, grid_rows, rows=bounds, info=info)
    call refused_by_descinit(-11, 'rows: the last of bounds is 14, must be m = 13')
    bounds(processes + 1) = n
    call xredist_descinit(descriptor, n, n, 2, 2, 0, 0, grid_rows, rows=bounds, owners_rows=[0], info=info)
    if (processes > 1) call refused_by_descinit(-11, 'owners_rows has 1 elements')
    call xredist_descinit(descriptor, n, n, 2, 2, 0, 0, grid_rows, owners_cols=[0], info=info)
    call refused_by_descinit(-12, 'owners_cols is present, but cols is absent')
    call xredist_descinit(descriptor, n, n, 2, 2, 0, 0, grid_rows, n - 1, info, cols=int([0, n], c_int64_t), &
                          rows=int([[0, n], [(n, k=2, processes)]], c_int64_t))
    if (process == 0) call refused_by_descinit(-9, 'lld is 12, must be at least 13')
    descriptor = descriptor_rows
    descriptor(5) = 0
    call xredist_local_size(descriptor, unused(1), unused(2), info=info)
    call refused(info, 'MB_', 'desc, entry 5 (MB_) is 0, must be at least 1, unless rows is passed')
    call xredist_local_size(descriptor_rows, unused(1), unused(2), cols=int([0, 2], c_int64_t), info=info)
    call refused(info, 'end of a partition', 'cols: the last of bounds is 2, must be desc, entry 4 (N_) = 13')
    call xredist_local_size(xredist_layout(1, processes, 0, 1), n, n, 0, unused(1), unused(2), info=info)
    call refused(info, 'mb', 'layout.mb is 0, must be at least 1')
    call xredist_local_size(xredist_layout(1, processes, 1, 1), n, n, 0, unused(1), unused(2), ranks=[(k, k=0, processes)], &
                            info=info)
    call refused(info, 'ranks', 'ranks has ')
  end subroutine

  subroutine refused_by_descinit(number, text)
    integer, intent(in) :: number
    character(len=*), intent(in) :: text

    call expect('INFO of XREDIST_DESCINIT', info == number)
    info = xredist_invalid_argument
    call refused(info, 'XREDIST_DESCINIT', text)
  end subroutine

end program descriptors
