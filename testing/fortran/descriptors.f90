! SPDX-License-Identifier: BSD-3-Clause
!> Tests XREDIST_DESCINIT, XREDIST_LOCAL_SIZE, XREDIST_LOCAL_TO_GLOBAL and XREDIST_GLOBAL_TO_LOCAL beside DESCINIT, NUMROC,
!! INDXL2G, INDXG2P and INDXG2L, and their errors.
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
  call indices()
  call slabs()
  call wrong()
  call wrong_indices()
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

  ! For block-cyclic dimensions, the indices are those of ScaLAPACK. Elements beyond the local ones are not set.
  subroutine indices()
    integer :: k, i, descriptor(9), none(9), global_rows(2*n), global_cols(10), prow, pcol, local_row, local_col, owner
    integer, external :: numroc, indxg2l, indxg2p
    integer :: ranks(processes)
    integer, allocatable :: no_rows(:)

    ranks = [(processes - k, k=1, processes)]
    do k = 0, processes - 1
      call xredist_descinit(descriptor, n, 9, 2, 4, k, 0, grid_rows)
      global_rows = -1
      call xredist_local_to_global(descriptor, global_rows(1::2), global_cols, info=info)
      call expect('INDXL2G', info == 0 .and. all(global_rows(2::2) == -1) .and. all(global_cols(:9) == [(i, i=1, 9)]))
      do i = 1, n
        if (i <= numroc(n, 2, process, k, processes)) then
          call expect('INDXL2G of rows', global_rows(2*i - 1) == indxl2g(i, 2, process, k, processes))
        else
          call expect('elements that are not set', global_rows(2*i - 1) == -1)
        end if
        call xredist_global_to_local(descriptor, i, 7, prow, pcol, local_row, local_col, info=info)
        call expect('INDXG2P', indxg2p(i, 2, process, k, processes) == prow .and. pcol == 0 .and. info == 0)
        call expect('INDXG2L', indxg2l(i, 2, process, k, processes) == local_row .and. local_col == 7)
        call xredist_global_to_local(xredist_layout(processes, 1, 2, 4, k), i, 7, owner, local_row, local_col, ranks=ranks)
        call expect('INDXG2P of a layout', owner == processes - 1 - prow)
        call expect('INDXG2L of a layout', indxg2l(i, 2, process, k, processes) == local_row .and. local_col == 7)
      end do
      global_cols = -1
      call xredist_local_to_global(xredist_layout(1, processes, 2, 3, 0, k), 2, 9, process, global_rows, global_cols)
      do i = 1, numroc(9, 3, process, k, processes)
        call expect('INDXL2G of a layout', global_cols(i) == indxl2g(i, 3, process, k, processes))
      end do
      call expect('rows of a layout', all(global_rows(:2) == [1, 2]))
    end do
    allocate (no_rows(0))
    call xredist_local_to_global(xredist_layout(2, 1, n, 10), n, 10, 1, no_rows, global_cols, info=info)
    call expect('a process without rows', info == 0 .and. all(global_cols == [(i, i=1, 10)]))
    none = -1
    global_rows = -1
    call xredist_local_to_global(none, global_rows, global_cols)
    call expect('indices outside the grid', all(global_rows == -1))
  end subroutine

  ! Intervals of 1, 2, 3 ... rows, whose owners are in descending order; the last interval has the remainder.
  subroutine slabs()
    integer :: k, i, local_rows, local_cols, prow, pcol, local_row, local_col, descriptor(9), owners(processes)
    integer :: global_rows(n), global_cols(n)
    integer(c_int64_t) :: bounds(processes + 1)

    bounds = [(min(n, k*(k + 1)/2), k=0, processes)]
    bounds(processes + 1) = n
    owners = [(processes - k, k=1, processes)]
    call xredist_descinit(descriptor, n, n, 0, n, 0, 0, grid_rows, rows=bounds, owners_rows=owners)
    call xredist_local_size(descriptor, local_rows, local_cols, rows=bounds, owners_rows=owners)
    call xredist_local_to_global(descriptor, global_rows, global_cols, rows=bounds, owners_rows=owners)
    k = processes - process
    call expect('rows of a slab', all(global_rows(:local_rows) == [(i, i=int(bounds(k)) + 1, int(bounds(k + 1)))]))
    do i = 1, local_rows
      call xredist_global_to_local(descriptor, global_rows(i), n, prow, pcol, local_row, local_col, rows=bounds, &
                                   owners_rows=owners)
      call expect('place in a slab', prow == process .and. pcol == 0 .and. local_row == i .and. local_col == n)
    end do
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

  subroutine wrong_indices()
    integer :: i(n), j(n), prow, pcol, local_row, local_col, none(9)
    type(xredist_layout) :: whole

    whole = xredist_layout(1, 1, n, n)
    call xredist_local_to_global(whole, n, n, 0, i(:12), j, info=info)
    call refused(info, 'short', 'global_rows has 12 elements, must have 13')
    call xredist_local_to_global(whole, n, n, 0, i, j(:0), info=info)
    call refused(info, 'empty', 'global_cols has 0 elements, must have 13')
    call xredist_local_to_global(whole, n, n, 0, i, j, rows=int([0, 12], c_int64_t), info=info)
    call refused(info, 'partition', 'm is 13: the partition ends at 12')
    call xredist_global_to_local(descriptor_rows, 0, 1, prow, pcol, local_row, local_col, info=info)
    call expect('no place', prow == -1 .and. pcol == -1 .and. local_row == 0 .and. local_col == 0)
    call refused(info, 'row 0', 'global_row is 0, must be in 1 .. 13')
    call xredist_global_to_local(descriptor_rows, 1, n + 1, prow, pcol, local_row, local_col, info=info)
    call refused(info, 'column 14', 'global_col is 14, must be in 1 .. 13')
    none = -1
    call xredist_global_to_local(none, 1, 1, prow, pcol, local_row, local_col, info=info)
    call refused(info, 'outside the grid', 'desc, entry 2 (CTXT_) is -1, not a context with this process')
    call xredist_global_to_local(whole, 13, 1, prow, local_row, local_col, rows=int([0, 12], c_int64_t), info=info)
    call refused(info, 'row of a layout', 'global_row is 13, must be in 1 .. 12')
    call xredist_global_to_local(xredist_layout(1, 1, n, 0), 1, 1, prow, local_row, local_col, info=info)
    call refused(info, 'layout', 'layout.nb is 0, must be at least 1')
  end subroutine

  subroutine refused_by_descinit(number, text)
    integer, intent(in) :: number
    character(len=*), intent(in) :: text

    call expect('INFO of XREDIST_DESCINIT', info == number)
    info = xredist_invalid_argument
    call refused(info, 'XREDIST_DESCINIT', text)
  end subroutine

end program descriptors
