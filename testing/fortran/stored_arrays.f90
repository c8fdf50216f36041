! SPDX-License-Identifier: BSD-3-Clause
!> Tests module xredist_files with arrays of 1 to 6 axes: random layouts, orders in memory and in the file, subarrays,
!! local arrays of any rank, and errors, which INFO returns.
program stored_arrays
  use, intrinsic :: iso_fortran_env, only: int16, int64, real32, real64
  use columns_and_rows
  use distributed_axes
  use xredist
  use xredist_files
  implicit none

  integer :: comm, info, k
  character(len=48) :: name
  external :: blacs_get

  call begin(13)
  call blacs_get(grid_rows, 10, comm)
  write (name, '(a, i0, a)') 'fortran_arrays_', processes, '.npy'
  do k = 1, 48
    call random_case(modulo(k, 6) + 1)
  end do
  call sections()
  call general_blocks()
  call consumed()
  call wrong_arrays()
  call delete_file()
  call finish('stored arrays right')

contains

  !> A subarray of A becomes one of a larger array in a file, and then one of B.
  subroutine random_case(axes)
    integer, intent(in) :: axes
    integer :: subarray(axes), first_a(axes), first_b(axes), in_file(axes), whole_a(axes), whole_b(axes), j
    type(side) :: from, to
    real(real64), allocatable :: u(:), v(:), expected(:)
    integer :: extents(axes)
    integer, parameter :: longest(6) = [60, 14, 8, 6, 4, 3]

    subarray = [(random_in(1, longest(axes)), j=1, axes)]
    first_a = [(random_in(1, 3), j=1, axes)]
    first_b = [(random_in(1, 3), j=1, axes)]
    in_file = [(random_in(1, 3), j=1, axes)]
    whole_a = first_a - 1 + subarray
    whole_b = first_b - 1 + subarray
    from = random_side(axes)
    to = random_side(axes)
    extents = counts_of(from, whole_a)
    extents = extents(from%order)
    allocate (u, source=contents(from, whole_a, first_a, subarray, extents, 1.0_real64, 0.0_real64, -1.0_real64))
    call xredist_write(comm, subarray, u, layout_of(from), name, first=first_a, first_in_file=in_file, &
                       order=merge('C', 'F', random_in(0, 1) == 0), ranks=from%ranks, info=info)
    call expect('write', info == 0)
    extents = counts_of(to, whole_b)
    extents = extents(to%order)
    allocate (expected, source=contents(to, whole_b, first_b, subarray, extents, 1.0_real64, 0.0_real64, -2.0_real64))
    allocate (v(size(expected)), source=-2.0_real64)
    call xredist_read(comm, subarray, v, layout_of(to), name, first=first_b, first_in_file=in_file, ranks=to%ranks, &
                      info=info)
    call expect('read', info == 0)
    call expect('elements', all(abs(v - expected) <= 0))
  end subroutine

  !> Slabs along the last of three axes, with halos, and of other types.
  subroutine sections()
    type(xredist_array_layout) :: slabs, rows
    real(real64) :: u(0:6, 5, 2), flat(5*4*2)
    real(real32), allocatable :: v(:, :, :)
    integer(int16) :: small(5, 4, 2), same(5, 4, 2)
    integer :: i, j, l, counts(3), n(3), first

    n = [5, 4, 2*processes]
    slabs = xredist_array_layout('(*, *, BLOCK)', grid=[1, 1, processes])
    rows = xredist_array_layout('(BLOCK, *, *)', grid=[processes, 1, 1], order=[2, 3, 1])
    u = -1
    do l = 1, 2
      do j = 1, 4
        do i = 1, 5
          u(i, j, l) = i + 10*j + 100*(2*process + l)
          small(i, j, l) = int(u(i, j, l), int16)
        end do
      end do
    end do
    call xredist_write(comm, n, u(1:5, 1:4, :), slabs, name)
    call xredist_local_shape(rows, n, process, counts)
    allocate (v(counts(2), counts(3), counts(1)))
    call xredist_read(comm, n, v, rows, name)
    first = process*((5 + processes - 1)/processes)
    do i = 1, counts(1)
      do l = 1, counts(3)
        do j = 1, counts(2)
          call expect('section', abs(v(j, l, i) - (first + i + 10*j + 100*l)) <= 0)
        end do
      end do
    end do
    flat = -1
    call xredist_read(comm, n, flat, slabs, name)
    call expect('rank 1', all(abs(flat - reshape(u(1:5, 1:4, :), [40])) <= 0))
    u(1:5, 1:4, :) = 0
    call xredist_read(comm, [5, 4, processes], u(1:5, :4, 2:), slabs, name, first_in_file=[1, 1, processes + 1])
    call expect('half', all(abs(u(1:5, 1, 2) - [(i + 10 + 100*(processes + process + 1), i=1, 5)]) <= 0))
    call expect('halo', all(abs(u([0, 6], :, :) + 1) <= 0) .and. all(abs(u(:, 5, :) + 1) <= 0))
    call xredist_write(comm, n, small, slabs, name)
    call xredist_read(comm, n, same, slabs, name, descr='<i2')
    call expect('int16', all(small == same))
  end subroutine

  subroutine general_blocks()
    type(xredist_array_layout) :: layout
    real(real64), allocatable :: u(:, :)
    integer :: counts(2)
    integer(int64) :: bounds(processes + 1)

    bounds = [(int(k, int64), k=0, processes)]
    bounds(processes + 1) = processes + 2
    layout = xredist_array_layout('(*, GEN_BLOCK)', grid=[1, processes])
    call xredist_local_shape(layout, [3, processes + 2], process, counts, bounds=bounds)
    allocate (u(counts(1), counts(2)), source=real(process, real64))
    call xredist_write(comm, [3, processes + 2], u, layout, name, bounds=bounds)
    u = -1
    call xredist_read(comm, [3, processes + 2], u, layout, name, bounds=bounds)
    call expect('general blocks', all(abs(u - process) <= 0))
  end subroutine

  !> Pages of an array that have gone back are 0.
  subroutine consumed()
    type(xredist_array_layout) :: layout
    real(real64), allocatable :: u(:, :, :)
    integer :: shape(3)

    shape = [64, 50, 100*processes]
    layout = xredist_array_layout('(*, *, BLOCK)', grid=[1, 1, processes])
    allocate (u(64, 50, 100), source=real(1 + process, real64))
    call xredist_write(comm, shape, u, layout, name, consume=.true.)
    call expect('the memory has gone back', count(abs(u) <= 0) > size(u)/20*19)
    call xredist_read(comm, shape, u, layout, name)
    call expect('a consumed array', all(abs(u - real(1 + process, real64)) <= 0))
  end subroutine

  subroutine wrong(sentence)
    character(len=*), intent(in) :: sentence
    character(len=200) :: text

    call xredist_error_text(text)
    call expect(sentence, info == xredist_invalid_argument .and. index(text, sentence) > 0)
    if (index(text, sentence) == 0) print '(2a)', 'found: ', trim(text)
  end subroutine

  subroutine wrong_arrays()
    type(xredist_array_layout) :: slabs, none
    character(len=200) :: text
    real(real64) :: u(5, 4, 2)
    integer :: n(3)

    n = [5, 4, 2*processes]
    u = 0
    slabs = xredist_array_layout('(*, *, BLOCK)', grid=[1, 1, processes])
    call xredist_write(comm, n, u(:, :3, :), slabs, name, info=info)
    call wrong('a has extent 3 in dimension 2, where the layout needs 4 elements of axis 2')
    call xredist_write(comm, n, u(:, 4:1:-1, :), slabs, name, info=info)
    call wrong('a goes from the last element to the first one in dimension 2')
    call xredist_write(comm, n(:2), u, slabs, name, info=info)
    call wrong('shape has 2 entries, layout has 3 axes')
    call xredist_write(comm, n, u, slabs, name, first=[1], info=info)
    call wrong('first has 1 entry, layout has 3 axes')
    call xredist_write(comm, n, u, slabs, name, first_in_file=[1, 0, 1], info=info)
    call wrong('first_in_file(2) is 0, must be at least 1')
    call xredist_write(comm, n, u, xredist_array_layout('(*, *, BLOCK)', grid=[1, 1, processes + 1]), name, info=info)
    call wrong('layout.grid(3) is ')
    call xredist_write(comm, n, u, xredist_array_layout('(*, *, BLOCK)', grid=[1, 1, processes], shape=[4, 4, 9]), name, &
                       info=info)
    call wrong('shape(1) is 5: with first(1) = 1 it reaches beyond layout.shape(1), which ends at 4')
    call xredist_write(comm, n, u, none, name, info=info)
    call wrong('layout is no layout')
    call xredist_write(comm, n, u, slabs, name, order='X', info=info)
    call wrong("order is 'X', must be F or C")
    call xredist_write(comm, n, u, slabs, name, ranks=[(processes, k=1, processes)], info=info)
    call wrong('ranks(1) is ')
    call xredist_read(comm, n, u, slabs, 'none[0]/'//name, info=info)
    call xredist_error_text(text)
    call expect('no such folder', info == xredist_file_error .and. index(text, 'none[0]/') > 0)
  end subroutine

  subroutine delete_file()
    integer :: unit

    call xredist_write(comm, [1], [1.0_real64], xredist_array_layout('(*)', grid=[1]), name)
    if (process /= 0) return
    open (newunit=unit, file=name, status='old')
    close (unit, status='delete')
  end subroutine

end program
