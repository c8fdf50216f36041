! SPDX-License-Identifier: BSD-3-Clause
!> Distributed matrices and arrays in files: a program writes a matrix on one grid and reads it on any other, on any number
!! of processes. NumPy reads the files, too:
!!
!!     call xredist_write(ctxt, m, n, a, 1, 1, desca, 'matrix.npy')
!!     call xredist_read(ctxt, m, n, b, 1, 1, descb, 'matrix.npy')
!!
!! The calls write A(IA:IA+M-1, JA:JA+N-1) to a file, and read B(IB:IB+M-1, JB:JB+N-1). All processes of CTXT call, and
!! pass equal arguments, except for local arrays and LLD_; outside of the grid, the descriptor is -1 in entry 2. A local
!! array is contiguous, or a section of columns whose distance is LLD_. The type of its elements is that of the array:
!! default integers, REAL, DOUBLE PRECISION, COMPLEX and DOUBLE COMPLEX are converted if the file has another of these
!! types; elements of all other types are copied. NumPy has other integers by their sizes, LOGICAL of one byte as bool,
!! other logicals as integers (0: false), and CHARACTER as bytes; a file that is read or updated must have this type, too.
!! The remaining types are bytes ("|V16") there, and any type of their size is read.
!!
!! The next arguments are optional, and passed by keyword:
!!
!!     row, col                first row and column of the submatrix in the matrix of the file (default: 1)
!!     update                  of XREDIST_WRITE, 'Y': overwrite the submatrix in a file that exists
!!     type_in_file            'I', 'S', 'D', 'C' or 'Z': type of the elements in a new or a raw file
!!     order                   of a new or a raw file, 'F' (default): columns are contiguous; 'C': rows are
!!     format                  'N' (default): a file of NumPy; 'R': raw, without a header
!!     file_rows, file_cols    size of the matrix in a new or a raw file (default: it ends with the submatrix)
!!     offset                  of a raw file, integer(int64): bytes before the first element
!!     descr                   NumPy's description of the elements, '<M8[s]', in place of the array's type: elements are
!!                             copied, whatever the type of the array
!!     consume                 of XREDIST_WRITE, .true.: A is undefined afterwards, and its memory goes back to the system
!!                             while A is written
!!     rows, cols              integer(int64) arrays: bounds of a partition of the local array's matrix
!!     owners_rows, owners_cols  integer arrays: owners of its intervals
!!     places_rows, places_cols  integer(int64) arrays: places of its intervals, as for plans
!!     info                    0 or a code of module xredist; without INFO, an error prints a sentence and ends the program
!!
!! With an MPI communicator, the layout is of type XREDIST_LAYOUT of module xredist, and RANKS has the ranks of its
!! processes. The leading dimension is the first extent of an array of rank 2, or the distance of a section's columns:
!!
!!     call xredist_write(comm, m, n, a, 1, 1, layout_a, 'matrix.npy', ranks=ranks)
!!
!! An array of 1 to 15 dimensions, on a communicator and with an XREDIST_ARRAY_LAYOUT of module xredist, passes its shape in
!! place of M and N. The local array has any rank, as in executions of plans; sections keep their strides:
!!
!!     call xredist_write(comm, [nx, ny, nz], u, x, 'array.npy')
!!     call xredist_read(comm, [nx, ny, nz/2], v, y, 'array.npy', first_in_file=[1, 1, nz/2 + 1])
!!
!! SHAPE is the size of the subarray that is written or read. UPDATE, TYPE_IN_FILE, FORMAT, OFFSET, DESCR, CONSUME and INFO
!! are as above; the other keywords are:
!!
!!     first                   index of the first element of the subarray along each axis (default: 1)
!!     first_in_file           the same in the array of the file
!!     shape_in_file           size of the array in a new or a raw file (default: it ends with the subarray)
!!     order                   of a new or a raw file, 'F' (default): the first axis is contiguous; 'C': the last one
!!     bounds, owners, places, ranks  those of the layout, as for XREDIST_LOCAL_SHAPE
!!
!! xredist/file.h and the manual page xredist_write(3) describe files, memory and errors. The library has no code of
!! ScaLAPACK: a program that uses this module needs xredist.
module xredist_files
  use, intrinsic :: iso_c_binding, only: c_char, c_funptr, c_int, c_int64_t, c_null_char, c_null_funptr, c_null_ptr, c_ptr, &
                                         c_size_t
  use, intrinsic :: iso_fortran_env, only: compiler_version
  use xredist, only: xredist_array_layout, xredist_layout
  implicit none
  private

  public :: xredist_write, xredist_read

  integer, parameter :: int_kind = merge(c_int64_t, c_int, kind(0) == c_int64_t)  ! the default kind, named by C

  !> The type of an argument that is always absent. It precedes optional arguments that must be passed by keyword, so that
  !! INFO in their position does not compile.
  type, bind(c) :: keywords
    private
    integer(c_int) :: none = 0
  end type

  interface xredist_write
    module procedure write_blacs, write_comm, write_array
  end interface
  interface xredist_read
    module procedure read_blacs, read_comm, read_array
  end interface

  !> The struct xredist_file of the C interface. The library sets its name, its type and its description.
  type, bind(c) :: c_file
    private
    type(c_ptr) :: name = c_null_ptr
    integer(c_int64_t) :: m = 0, n = 0, i = 0, j = 0, row = 0, col = 0
    character(kind=c_char) :: type = c_null_char
    integer(c_int64_t) :: bytes = 0
    character(kind=c_char) :: type_in_file = c_null_char
    type(c_ptr) :: descr = c_null_ptr
    character(kind=c_char) :: format = c_null_char, order = c_null_char, update = c_null_char
    integer(c_int64_t) :: rows = 0, cols = 0, offset = 0
    type(c_funptr) :: progress = c_null_funptr
    type(c_ptr) :: progress_context = c_null_ptr
    integer(c_int64_t) :: consume = 0, reserved(5) = 0
  end type

  ! The routines of the library. ARRAY is 'a', which is written, or 'b', which is read. A matrix on a context has DESC, one
  ! on a communicator has LAYOUT. NAME has LENGTH characters and DESCR has DESCR_LENGTH, which sequence association passes
  ! without a descriptor.
  interface
    subroutine move_matrix(array, place, local, file, keywords_only, name, length, descr, descr_length, rows, cols, &
                           owners_rows, owners_cols, places_rows, places_cols, info, desc, layout, ranks) &
      bind(c, name='xredist_fortran_matrix_file')
      import :: c_char, c_file, c_int64_t, c_size_t, int_kind, keywords, xredist_layout
      character(kind=c_char), value :: array
      integer(int_kind), intent(in) :: place
      type(*), dimension(..) :: local
      type(c_file), intent(in) :: file
      type(keywords), intent(in), optional :: keywords_only
      character(kind=c_char), intent(in) :: name(*), descr(*)
      integer(c_size_t), value :: length, descr_length
      integer(c_int64_t), intent(in), optional :: rows(:), cols(:), places_rows(:), places_cols(:)
      integer(int_kind), intent(in), optional :: owners_rows(:), owners_cols(:)
      integer(int_kind), intent(out), optional :: info
      integer(int_kind), intent(in), optional :: desc(9), ranks(:)
      type(xredist_layout), intent(in), optional :: layout
    end subroutine
    subroutine move_array(array, comm, shape, local, layout, file, keywords_only, name, length, descr, descr_length, &
                          first, first_in_file, shape_in_file, bounds, owners, places, ranks, info) &
      bind(c, name='xredist_fortran_array_file')
      import :: c_char, c_file, c_int64_t, c_size_t, int_kind, keywords, xredist_array_layout
      character(kind=c_char), value :: array
      integer(int_kind), intent(in) :: comm, shape(:)
      type(*), dimension(..) :: local
      type(xredist_array_layout), intent(in) :: layout
      type(c_file), intent(in) :: file
      type(keywords), intent(in), optional :: keywords_only
      character(kind=c_char), intent(in) :: name(*), descr(*)
      integer(c_size_t), value :: length, descr_length
      integer(int_kind), intent(in), optional :: first(:), first_in_file(:), shape_in_file(:)
      integer(c_int64_t), intent(in), optional :: bounds(:), places(:)
      integer(int_kind), intent(in), optional :: owners(:), ranks(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  ! gfortran before version 12 sets the lower bounds of an array to 0 when a procedure passes its argument of assumed rank
  ! on to C. So the descriptor of the array, which is the program's, is kept during the call. These routines are not
  ! BIND(C): they get the descriptor itself.
  interface
    subroutine xredist_fortran_keep(a, dimensions, descriptor)
      import :: c_int, c_int64_t
      type(*), dimension(..) :: a
      integer(c_int), value :: dimensions
      integer(c_int64_t), intent(out) :: descriptor(60)
    end subroutine
    subroutine xredist_fortran_put_back(a, dimensions, descriptor)
      import :: c_int, c_int64_t
      type(*), dimension(..) :: a
      integer(c_int), value :: dimensions
      integer(c_int64_t), intent(in) :: descriptor(60)
    end subroutine
  end interface
  character(len=*), parameter :: compiler = compiler_version()
  logical, parameter :: bounds_change = any(1 == [index(compiler, 'GCC version 9.'), index(compiler, 'GCC version 10.'), &
                                                  index(compiler, 'GCC version 11.')])

contains

  ! FILE and DESCR are CLASS(*) in these routines: if A is an array of characters, gfortran also passes its length,
  ! which a dummy argument CHARACTER(LEN=*) would take for its own.

  subroutine write_blacs(ctxt, m, n, a, ia, ja, desca, file, keywords_only, row, col, update, type_in_file, order, &
                         format, file_rows, file_cols, offset, descr, consume, rows, cols, owners_rows, owners_cols, &
                         places_rows, places_cols, info)
    integer, intent(in) :: ctxt, m, n, ia, ja, desca(9)
    type(*), dimension(..), intent(in) :: a
    class(*), intent(in) :: file
    type(keywords), intent(in), optional :: keywords_only
    integer, intent(in), optional :: row, col, file_rows, file_cols
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset, rows(:), cols(:), places_rows(:), places_cols(:)
    class(*), intent(in), optional :: descr
    logical, intent(in), optional :: consume
    integer, intent(in), optional :: owners_rows(:), owners_cols(:)
    integer, intent(out), optional :: info
    integer(c_int64_t) :: descriptor(60)
    character(:), allocatable :: name, description

    allocate (name, source=text_of(file))
    allocate (description, source=text_of(descr))
    if (bounds_change) call xredist_fortran_keep(a, int(rank(a), c_int), descriptor)
    call move_matrix('a', ctxt, a, &
                     file_of(update, type_in_file, order, format, offset, m, n, ia, ja, row, col, file_rows, file_cols, &
                             consume), &
                     keywords_only, name, len(name, c_size_t), description, len(description, c_size_t), rows, cols, &
                     owners_rows, owners_cols, places_rows, places_cols, info, desca)
    if (bounds_change) call xredist_fortran_put_back(a, int(rank(a), c_int), descriptor)
  end subroutine

  subroutine write_comm(comm, m, n, a, i, j, layout, file, keywords_only, row, col, update, type_in_file, order, &
                        format, file_rows, file_cols, offset, descr, consume, rows, cols, owners_rows, owners_cols, &
                        places_rows, places_cols, ranks, info)
    integer, intent(in) :: comm, m, n, i, j
    type(xredist_layout), intent(in) :: layout
    type(*), dimension(..), intent(in) :: a
    class(*), intent(in) :: file
    type(keywords), intent(in), optional :: keywords_only
    integer, intent(in), optional :: row, col, file_rows, file_cols
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset, rows(:), cols(:), places_rows(:), places_cols(:)
    class(*), intent(in), optional :: descr
    logical, intent(in), optional :: consume
    integer, intent(in), optional :: owners_rows(:), owners_cols(:), ranks(:)
    integer, intent(out), optional :: info
    integer(c_int64_t) :: descriptor(60)
    character(:), allocatable :: name, description

    allocate (name, source=text_of(file))
    allocate (description, source=text_of(descr))
    if (bounds_change) call xredist_fortran_keep(a, int(rank(a), c_int), descriptor)
    call move_matrix('a', comm, a, &
                     file_of(update, type_in_file, order, format, offset, m, n, i, j, row, col, file_rows, file_cols, &
                             consume), &
                     keywords_only, name, len(name, c_size_t), description, len(description, c_size_t), rows, cols, &
                     owners_rows, owners_cols, places_rows, places_cols, info, layout=layout, ranks=ranks)
    if (bounds_change) call xredist_fortran_put_back(a, int(rank(a), c_int), descriptor)
  end subroutine

  subroutine read_blacs(ctxt, m, n, b, ib, jb, descb, file, keywords_only, row, col, update, type_in_file, order, &
                        format, file_rows, file_cols, offset, descr, rows, cols, owners_rows, owners_cols, &
                        places_rows, places_cols, info)
    integer, intent(in) :: ctxt, m, n, ib, jb, descb(9)
    type(*), dimension(..), intent(inout) :: b
    class(*), intent(in) :: file
    type(keywords), intent(in), optional :: keywords_only
    integer, intent(in), optional :: row, col, file_rows, file_cols
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset, rows(:), cols(:), places_rows(:), places_cols(:)
    class(*), intent(in), optional :: descr
    integer, intent(in), optional :: owners_rows(:), owners_cols(:)
    integer, intent(out), optional :: info
    integer(c_int64_t) :: descriptor(60)
    character(:), allocatable :: name, description

    allocate (name, source=text_of(file))
    allocate (description, source=text_of(descr))
    if (bounds_change) call xredist_fortran_keep(b, int(rank(b), c_int), descriptor)
    call move_matrix('b', ctxt, b, &
                     file_of(update, type_in_file, order, format, offset, m, n, ib, jb, row, col, file_rows, file_cols), &
                     keywords_only, name, len(name, c_size_t), description, len(description, c_size_t), rows, cols, &
                     owners_rows, owners_cols, places_rows, places_cols, info, descb)
    if (bounds_change) call xredist_fortran_put_back(b, int(rank(b), c_int), descriptor)
  end subroutine

  subroutine read_comm(comm, m, n, b, i, j, layout, file, keywords_only, row, col, update, type_in_file, order, format, &
                       file_rows, file_cols, offset, descr, rows, cols, owners_rows, owners_cols, places_rows, &
                       places_cols, ranks, info)
    integer, intent(in) :: comm, m, n, i, j
    type(xredist_layout), intent(in) :: layout
    type(*), dimension(..), intent(inout) :: b
    class(*), intent(in) :: file
    type(keywords), intent(in), optional :: keywords_only
    integer, intent(in), optional :: row, col, file_rows, file_cols
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset, rows(:), cols(:), places_rows(:), places_cols(:)
    class(*), intent(in), optional :: descr
    integer, intent(in), optional :: owners_rows(:), owners_cols(:), ranks(:)
    integer, intent(out), optional :: info
    integer(c_int64_t) :: descriptor(60)
    character(:), allocatable :: name, description

    allocate (name, source=text_of(file))
    allocate (description, source=text_of(descr))
    if (bounds_change) call xredist_fortran_keep(b, int(rank(b), c_int), descriptor)
    call move_matrix('b', comm, b, &
                     file_of(update, type_in_file, order, format, offset, m, n, i, j, row, col, file_rows, file_cols), &
                     keywords_only, name, len(name, c_size_t), description, len(description, c_size_t), rows, cols, &
                     owners_rows, owners_cols, places_rows, places_cols, info, layout=layout, ranks=ranks)
    if (bounds_change) call xredist_fortran_put_back(b, int(rank(b), c_int), descriptor)
  end subroutine

  subroutine write_array(comm, shape, a, layout, file, keywords_only, first, first_in_file, shape_in_file, update, &
                         type_in_file, order, format, offset, descr, consume, bounds, owners, places, ranks, info)
    integer, intent(in) :: comm, shape(:)
    type(*), dimension(..), intent(in) :: a
    type(xredist_array_layout), intent(in) :: layout
    class(*), intent(in) :: file
    type(keywords), intent(in), optional :: keywords_only
    integer, intent(in), optional :: first(:), first_in_file(:), shape_in_file(:)
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset
    class(*), intent(in), optional :: descr
    logical, intent(in), optional :: consume
    integer(c_int64_t), intent(in), optional :: bounds(:), places(:)
    integer, intent(in), optional :: owners(:), ranks(:)
    integer, intent(out), optional :: info
    integer(c_int64_t) :: descriptor(60)
    character(:), allocatable :: name, description

    allocate (name, source=text_of(file))
    allocate (description, source=text_of(descr))
    if (bounds_change) call xredist_fortran_keep(a, int(rank(a), c_int), descriptor)
    call move_array('a', comm, shape, a, layout, file_of(update, type_in_file, order, format, offset, consume=consume), &
                    keywords_only, name, len(name, c_size_t), description, len(description, c_size_t), first, &
                    first_in_file, shape_in_file, bounds, owners, places, ranks, info)
    if (bounds_change) call xredist_fortran_put_back(a, int(rank(a), c_int), descriptor)
  end subroutine

  subroutine read_array(comm, shape, b, layout, file, keywords_only, first, first_in_file, shape_in_file, update, &
                        type_in_file, order, format, offset, descr, bounds, owners, places, ranks, info)
    integer, intent(in) :: comm, shape(:)
    type(*), dimension(..), intent(inout) :: b
    type(xredist_array_layout), intent(in) :: layout
    class(*), intent(in) :: file
    type(keywords), intent(in), optional :: keywords_only
    integer, intent(in), optional :: first(:), first_in_file(:), shape_in_file(:)
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset
    class(*), intent(in), optional :: descr
    integer(c_int64_t), intent(in), optional :: bounds(:), places(:)
    integer, intent(in), optional :: owners(:), ranks(:)
    integer, intent(out), optional :: info
    integer(c_int64_t) :: descriptor(60)
    character(:), allocatable :: name, description

    allocate (name, source=text_of(file))
    allocate (description, source=text_of(descr))
    if (bounds_change) call xredist_fortran_keep(b, int(rank(b), c_int), descriptor)
    call move_array('b', comm, shape, b, layout, file_of(update, type_in_file, order, format, offset), &
                    keywords_only, name, len(name, c_size_t), description, len(description, c_size_t), first, &
                    first_in_file, shape_in_file, bounds, owners, places, ranks, info)
    if (bounds_change) call xredist_fortran_put_back(b, int(rank(b), c_int), descriptor)
  end subroutine

  !> Returns a text; an empty one if the argument is absent or not a text.
  pure function text_of(argument) result(text)
    class(*), intent(in), optional :: argument
    character(:), allocatable :: text

    text = ''
    if (.not. present(argument)) return
    select type (argument)
    type is (character(*))
      text = argument
    end select
  end function

  !> Returns the file of a call. Arguments that are absent, and letters that are blank, have the default of C. The file of
  !! an array has no M and no further number.
  pure function file_of(update, type_in_file, order, format, offset, m, n, i, j, row, col, rows, cols, consume) result(file)
    character, intent(in), optional :: update, type_in_file, order, format
    integer(c_int64_t), intent(in), optional :: offset
    integer, intent(in), optional :: m, n, i, j, row, col, rows, cols
    logical, intent(in), optional :: consume
    type(c_file) :: file

    file = c_file(m=number(m), n=number(n), i=number(i), j=number(j), row=number(row), col=number(col), &
                  rows=number(rows), cols=number(cols), update=letter(update), type_in_file=letter(type_in_file), &
                  order=letter(order), format=letter(format))
    if (present(offset)) file%offset = offset
    if (present(consume)) file%consume = merge(1, 0, consume)
  end function

  pure integer(c_int64_t) function number(given)
    integer, intent(in), optional :: given

    number = 0
    if (present(given)) number = given
  end function

  pure character function letter(given)
    character, intent(in), optional :: given

    letter = c_null_char
    if (.not. present(given)) return
    if (given /= ' ') letter = given
  end function

end module xredist_files
