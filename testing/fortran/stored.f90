! SPDX-License-Identifier: BSD-3-Clause
!> Tests module xredist_files: matrices that are written on one grid and read on another, and errors.
program stored
  use, intrinsic :: iso_c_binding, only: c_bool, c_int64_t, c_long_double
  use, intrinsic :: iso_fortran_env, only: int8, int16, int64, real32, real64
  use columns_and_rows
  use xredist
  use xredist_files
  implicit none

  integer, parameter :: n = 23
  integer :: info
  character(len=40) :: name

  call begin(n)
  write (name, '(a, i0, a)') 'fortran_files_', processes, '.npy'
  call all_columns()
  call submatrices()
  call from_one_process()
  call on_communicator()
  call consumed()
  call types_of_numpy()
  call long_names()
  call kinds_of_arrays()
  call wrong_arrays()
  call delete_file()
  call finish('stored right')

contains

  ! Global indices of this process's columns (blocks of 2) and rows (blocks of 1).
  integer function global_column(j)
    integer, intent(in) :: j

    global_column = indxl2g(j, 2, column, 0, processes)
  end function
  integer function global_row(i)
    integer, intent(in) :: i

    global_row = indxl2g(i, 1, process, 0, processes)
  end function

  subroutine fill(a)
    real(real64), intent(out) :: a(:, :)
    integer :: i, j

    do j = 1, columns
      do i = 1, n
        a(i, j) = element(i, global_column(j))
      end do
    end do
  end subroutine

  subroutine all_columns()
    real(real64) :: a(n, columns), b(max(1, rows), n)
    real(real32) :: single(max(1, rows), n)
    integer(int64) :: bits(n, columns), same(n, columns)
    integer :: i, j

    call fill(a)
    call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, name)
    b = -1
    call xredist_read(grid_rows, n, n, b, 1, 1, descriptor_rows, name, info=info)
    call expect('rows are read', info == 0)
    single = -1
    call xredist_read(grid_rows, n, n, single, 1, 1, descriptor_rows, trim(name))
    do j = 1, n
      do i = 1, rows
        call expect('an element', is(b(i, j), element(global_row(i), j)))
        call expect('a converted element', is(real(single(i, j), real64), element(global_row(i), j)))
      end do
    end do
    bits = nint(a, int64)
    same = 0
    call xredist_write(grid_columns, n, n, bits, 1, 1, descriptor_columns, name, order='C')
    call xredist_read(grid_columns, n, n, same, 1, 1, descriptor_columns, name)
    call expect('integers of 8 bytes', all(same == bits))
  end subroutine

  ! A section of a longer array, and a submatrix that is overwritten in the file.
  subroutine submatrices()
    real(real64) :: a(n + 4, columns), b(max(1, rows), n)
    integer :: descriptor(9), i, j, row

    a = -2
    call fill(a(:n, :))
    descriptor = descriptor_columns
    descriptor(9) = n + 4
    call xredist_write(grid_columns, 5, 7, a(:n, :), 3, 4, descriptor, name, file_rows=9, file_cols=9, row=2, col=3, &
                       type_in_file='S')
    call xredist_write(grid_columns, 1, 1, a, 1, 1, descriptor, name, row=9, col=9, update='Y')
    b = -1
    call xredist_read(grid_rows, 9, 9, b, 1, 1, descriptor_rows, name)
    do j = 1, 9
      do i = 1, rows
        row = global_row(i)
        if (row > 9) cycle
        if (row == 9 .and. j == 9) then
          call expect('the updated element', is(b(i, j), element(1, 1)))
        else if (row >= 2 .and. row <= 6 .and. j >= 3) then
          call expect('an element of the submatrix', is(b(i, j), element(row + 1, j + 1)))
        else
          call expect('a zero', is(b(i, j), 0.0_real64))
        end if
      end do
    end do
  end subroutine

  ! Processes outside of the grid define no entry of the descriptor but CTXT_.
  subroutine from_one_process()
    real(real64) :: a(n + 4, n), b(max(1, rows), n)
    integer :: descriptor(9), grid, i, j

    call blacs_get(0, 0, grid)
    call blacs_gridmap(grid, [0], 1, 1, 1)
    descriptor = -7
    if (process == 0) descriptor = [1, 0, n, n, 2, 2, 0, 0, n + 4]
    descriptor(2) = grid
    do j = 1, n
      do i = 1, n
        a(i, j) = element(i, j)
      end do
    end do
    call xredist_write(grid_columns, n, n, a(:n, :), 1, 1, descriptor, name)
    b = -1
    call xredist_read(grid_rows, n, n, b, 1, 1, descriptor_rows, name)
    do i = 1, rows
      call expect('a row from one process', is(b(i, 7), element(global_row(i), 7)))
    end do
    if (process == 0) call blacs_gridexit(grid)
  end subroutine

  subroutine on_communicator()
    type(xredist_layout) :: layout
    real(real64) :: a(n, columns)
    real(real64), allocatable :: b(:, :)
    integer(c_int64_t) :: bounds(2)
    integer :: comm, i, ranks(1)

    call blacs_get(grid_columns, 10, comm)
    call fill(a)
    layout%nprow = 1
    layout%npcol = processes
    layout%mb = 2
    layout%nb = 2
    call xredist_write(comm, n, n, a, 1, 1, layout, name)
    allocate (b(0:merge(n, 0, process == processes - 1) - 1, -1:n - 2))
    b = -1
    bounds = [0_c_int64_t, int(n, c_int64_t)]
    ranks = processes - 1
    layout%npcol = 1
    call xredist_read(comm, n, n, b, 1, 1, layout, name, rows=bounds, cols=bounds, ranks=ranks)
    call expect('the bounds that the program chose', lbound(b, 2) == -1 .and. (size(b, 1) == 0 .or. lbound(b, 1) == 0))
    do i = 1, size(b, 1)
      call expect('a row on one process', is(b(i - 1, 3), element(i, 5)))
    end do
    call xredist_write(comm, n, n, b, 1, 1, layout, name, rows=bounds, cols=bounds, ranks=ranks)
    call expect('the same bounds', lbound(b, 2) == -1 .and. (size(b, 1) == 0 .or. lbound(b, 1) == 0))
  end subroutine

  ! Pages of A that have gone back are 0. The last and the first page may have other data.
  subroutine consumed()
    type(xredist_layout) :: layout
    real(real64), allocatable :: a(:, :), b(:, :)
    integer :: comm, descriptor(9), kind_of_call, m, k

    m = 1024
    k = 256*processes
    call blacs_get(grid_columns, 10, comm)
    layout%nprow = 1
    layout%npcol = processes
    layout%mb = m
    layout%nb = 8
    call descinit(descriptor, m, k, m, 8, 0, 0, grid_columns, m, info)
    allocate (b(m, 256))
    do kind_of_call = 1, 3
      allocate (a(m, 256), source=real(1 + process, real64))
      select case (kind_of_call)
      case (1)
        call xredist_write(comm, m, k, a, 1, 1, layout, name, consume=.true.)
      case (2)
        call xredist_write(grid_columns, m, k, a, 1, 1, descriptor, name, consume=.true., info=info)
      case (3)
        call xredist_write(grid_columns, m, k, a, 1, 1, descriptor, name, consume=.false.)
      end select
      if (kind_of_call < 3) then
        call expect('the memory has gone back', count(abs(a) <= 0) > size(a)/20*19)
      else
        call expect('the array stays', all(equals(a, 1 + process)))
      end if
      call xredist_read(comm, m, k, b, 1, 1, layout, name)
      call expect('the file of a consumed array', all(equals(b, 1 + process)))
      deallocate (a)
    end do
  end subroutine

  elemental logical function equals(x, value)
    real(real64), intent(in) :: x
    integer, intent(in) :: value

    equals = abs(x - real(value, real64)) <= 0
  end function

  ! Arrays whose size, or whose type, the compiler does not tell; and a name in a variable that is longer than most names.
  subroutine kinds_of_arrays()
    type pair
      real(real64) :: first, second
    end type
    real(real64) :: a(n, columns), b(n, columns), empty(0, 0)
    type(pair) :: pairs(n, columns), same(n, columns)
    character(len=2) :: texts(n, columns)
    character(len=200) :: long_name

    long_name = name
    call fill(a)
    call write_unknown_size(a, long_name)
    b = -1
    call read_unknown_size(b, long_name)
    call expect('assumed-size arrays', all(abs(a - b) < 0.5_real64))
    b = -1
    call xredist_write(grid_columns, n, n, a(1, 1), 1, 1, descriptor_columns, long_name)
    call xredist_read(grid_columns, n, n, b(1, 1), 1, 1, descriptor_columns, long_name)
    call expect('array elements', all(abs(a - b) < 0.5_real64))
    pairs%first = a
    pairs%second = -a
    call xredist_write(grid_columns, n, n, pairs, 1, 1, descriptor_columns, long_name)
    call xredist_read(grid_columns, n, n, same, 1, 1, descriptor_columns, long_name)
    call expect('arrays of a derived type', all(abs(same%first - a) < 0.5_real64) .and. &
                all(abs(same%second + a) < 0.5_real64))
    texts = 'no'
    if (columns > 1) texts(:, 2:) = 'is'
    call xredist_write(grid_columns, n, n, texts, 1, 1, descriptor_columns, long_name)
    texts = '--'
    call xredist_read(grid_columns, n, n, texts, 1, 1, descriptor_columns, long_name)
    call expect('arrays of text', all(texts(:, 1) == 'no') .and. all(texts(:, 2:) == 'is'))
    call xredist_write(grid_columns, n, n, empty, 1, 1, descriptor_columns, long_name, info=info)
    call refused(info, 'an empty array', 'a has 0 elements, where the local part')
  end subroutine

  subroutine write_unknown_size(a, file)
    real(real64), intent(in) :: a(n, *)
    character(len=*), intent(in) :: file

    call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, file)
  end subroutine

  subroutine read_unknown_size(b, file)
    real(real64), intent(inout) :: b(n, *)
    character(len=*), intent(in) :: file

    call xredist_read(grid_columns, n, n, b, 1, 1, descriptor_columns, file)
  end subroutine

  ! Returns whether the header of the file has a text.
  logical function described(text)
    character(len=*), intent(in) :: text
    character(len=128) :: header
    integer :: status, unit

    described = .true.
    if (process /= 0) return
    open (newunit=unit, file=trim(name), access='stream', form='unformatted', action='read', iostat=status)
    if (status == 0) read (unit, iostat=status) header
    close (unit)
    described = status == 0 .and. index(header, text) > 0
  end function

  subroutine types_of_numpy()
    integer(int8) :: bytes(n, columns)
    integer(int16) :: short(n, columns), same(n, columns)
    integer(int64) :: seconds(n, columns)
    logical(c_bool) :: flags(n, columns), read_flags(n, columns)
    logical :: mask(n, columns)
    real(c_long_double) :: long(n, columns)
    character(len=3) :: words(n, columns)
    real(real64) :: a(n, columns), b(n, columns)

    call fill(a)
    bytes = 1_int8
    call xredist_write(grid_columns, n, n, bytes, 1, 1, descriptor_columns, name)
    call expect('integers of one byte', described("'descr': '|i1'"))
    short = int(nint(a), int16)
    call xredist_write(grid_columns, n, n, short, 1, 1, descriptor_columns, name)
    call expect('integers of two bytes', described("'descr': '<i2'"))
    same = 0
    call xredist_read(grid_columns, n, n, same, 1, 1, descriptor_columns, name)
    call expect('integers of two bytes are read', all(same == short))
    call xredist_write(grid_columns, n, n, short, 1, 1, descriptor_columns, name, descr='<f2')
    call expect('integers as other numbers', described("'descr': '<f2'"))
    call xredist_read(grid_columns, n, n, same, 1, 1, descriptor_columns, name, info=info)
    call refused(info, 'another type', name(:len_trim(name))//" has elements of '<f2', descr is '<i2'")
    flags = short > 5
    call xredist_write(grid_columns, n, n, flags, 1, 1, descriptor_columns, name)
    call expect('logicals of one byte', described("'descr': '|b1'"))
    call xredist_read(grid_columns, n, n, bytes, 1, 1, descriptor_columns, name, descr='?')
    call expect('logicals are read as integers', all((bytes /= 0_int8) .eqv. (short > 5_int16)))
    call xredist_read(grid_columns, n, n, read_flags, 1, 1, descriptor_columns, name)
    call expect('logicals are read', all(logical(read_flags .eqv. flags)))
    mask = short > 7
    call xredist_write(grid_columns, n, n, mask, 1, 1, descriptor_columns, name)
    call expect('default logicals', described(merge("'descr': '<i4'", "'descr': '<i8'", storage_size(mask) == 32)))
    words = 'abc'
    call xredist_write(grid_columns, n, n, words, 1, 1, descriptor_columns, name)
    call expect('characters', described("'descr': '|S3'"))
    seconds = nint(a, int64)
    call xredist_write(grid_columns, n, n, seconds, 1, 1, descriptor_columns, name, descr='<M8[s]   ')
    call expect('times', described("'descr': '<M8[s]', 'fortran_order': True"))
    call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, name, descr='>f8')
    b = 0
    call xredist_read(grid_columns, n, n, b, 1, 1, descriptor_columns, name, descr='>f8')
    call expect('numbers that are not converted', all(transfer(a, [0_int64]) == transfer(b, [0_int64])))
    call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, name, descr='<f4', info=info)
    call refused(info, 'a description', "descr is '<f4', must describe an element of 8 bytes")
    long = real(a, c_long_double)
    if (storage_size(long) /= 128) return
    call xredist_write(grid_columns, n, n, long, 1, 1, descriptor_columns, name)
    call expect('reals of 16 bytes are of two kinds', described("'descr': '|V16'"))
    call xredist_write(grid_columns, n, n, long, 1, 1, descriptor_columns, name, descr='<f16')
    call expect('long double', described("'descr': '<f16'"))
  end subroutine

  ! As many characters as the system permits, and a path that is longer than what MPI permits.
  subroutine long_names()
    real(real64) :: a(n, columns), b(n, columns)
    character(len=1000) :: longest
    integer :: length, unit

    call fill(a)
    do length = 251, 651, 400
      longest = trim(name)//repeat('f', length - len_trim(name))//'.npy'
      if (length > 251) longest = repeat('./', 200)//longest(401:655)
      call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, longest)
      b = 0
      call xredist_read(grid_columns, n, n, b, 1, 1, descriptor_columns, longest)
      call expect('a file with a long name', all(transfer(a, [0_int64]) == transfer(b, [0_int64])))
      if (process /= 0) cycle
      open (newunit=unit, file=trim(longest))
      close (unit, status='delete')
    end do
  end subroutine

  subroutine wrong_arrays()
    real(real64) :: a(2*n, columns + 1), short(n - 1)
    integer(int64), parameter :: few(1) = [0_int64]

    call xredist_write(grid_columns, n, n, a(::2, :), 1, 1, descriptor_columns, name, info=info)
    call refused(info, 'strided', 'a is not contiguous, nor a section of contiguous columns')
    call xredist_write(grid_columns, n, n, a(:n, :), 1, 1, descriptor_columns, name, info=info)
    call refused(info, 'another leading dimension', 'a is a section with the leading dimension 46')
    call xredist_write(grid_columns, n, n, short, 1, 1, descriptor_columns, name, info=info)
    call refused(info, 'a short array', 'a has 22 elements, where the local part up to the end of the submatrix has 23 x')
    call xredist_read(grid_columns, n, n, short, 1, 1, descriptor_columns, name, info=info)
    call refused(info, 'a short array', 'b has 22 elements, where the local part up to the end of the submatrix has 23 x')
    call xredist_read(grid_columns, n, n, a, 1, 2, descriptor_columns, name, info=info)
    call refused(info, 'beyond the matrix', 'n is 23: with j = 2 it reaches beyond desc, entry 4 (N_) = 23')
    call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, name, owners_rows=[0], info=info)
    call refused(info, 'owners', 'owners_rows is present, but rows is absent')
    call xredist_write(grid_columns, n, n, a, 1, 1, descriptor_columns, name, rows=few(1:0), info=info)
    call refused(info, 'no bounds', 'rows is empty')
    call xredist_read(grid_columns, n, n, a, 1, 1, descriptor_columns, 'nowhere/'//name, info=info)
    call expect('no file', info /= 0)
    info = 0
  end subroutine

  subroutine delete_file()
    integer :: unit

    if (process /= 0) return
    open (newunit=unit, file=trim(name))
    close (unit, status='delete')
  end subroutine

end program stored
