! SPDX-License-Identifier: BSD-3-Clause
!> Reads a block of rows of a Matrix Market file: a square matrix in coordinate format, real or integer, general or
!! symmetric. An error is returned as one line that names the file and the line in it.
module matrix_market
  use, intrinsic :: iso_fortran_env, only: int64, iostat_end, real64
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  implicit none
  private

  public :: market_file, open_market, read_rows

  type :: market_file
    character(len=:), allocatable :: name
    integer :: unit = 0, n = 0
    integer(int64) :: line = 0, entries = 0
    logical :: symmetric = .false.
  end type

contains

  !> Opens the file and reads its header and sizes. Allocates `error` on failure.
  subroutine open_market(name, file, error)
    character(len=*), intent(in) :: name
    type(market_file), intent(out) :: file
    character(len=:), allocatable, intent(out) :: error
    character(len=1024) :: line, reason
    integer :: status, columns

    file%name = name
    open (newunit=file%unit, file=name, status='old', action='read', iostat=status, iomsg=reason)
    if (status /= 0) error = name//': '//trim(reason)
    if (.not. allocated(error)) call read_header(file, error)
    if (.not. allocated(error)) call next_line(file, line, error)
    if (allocated(error)) return
    status = 1
    if (words(line) == 3 .and. verify(trim(line), ' 0123456789') == 0) &
      read (line, *, iostat=status) file%n, columns, file%entries
    if (line == '') then
      error = place(file)//'the file ends before its sizes'
    else if (status /= 0) then
      error = place(file)//'expected rows, columns and entries, not: '//trim(line)
    else if (file%n /= columns .or. file%n < 1) then
      error = place(file)//'the matrix is not square, or empty: '//trim(line)
    end if
  end subroutine

  !> Reads a line such as %%MatrixMarket matrix coordinate real symmetric, in upper or lower case.
  subroutine read_header(file, error)
    type(market_file), intent(inout) :: file
    character(len=:), allocatable, intent(inout) :: error
    character(len=1024) :: line
    character(len=32) :: word(5)
    integer :: status, k

    call next_line(file, line, error, header=.true.)
    if (allocated(error)) return
    do k = 1, len_trim(line)
      if (line(k:k) >= 'A' .and. line(k:k) <= 'Z') line(k:k) = achar(iachar(line(k:k)) + 32)
    end do
    word = ''
    if (words(line) == 5) read (line, *, iostat=status) word
    file%symmetric = word(5) == 'symmetric'
    if (file%line == 0) then
      file%line = 1
      error = place(file)//'the file is empty'
    else if (word(1) /= '%%matrixmarket') then
      error = place(file)//'not a Matrix Market header (%%MatrixMarket matrix coordinate real symmetric): '//trim(line)
    else if (word(2) /= 'matrix' .or. word(3) /= 'coordinate') then
      error = place(file)//'only "matrix coordinate" can be read, not "'//trim(word(2))//' '//trim(word(3))//'"'
    else if (word(4) /= 'real' .and. word(4) /= 'integer') then
      error = place(file)//'only real values can be read, not "'//trim(word(4))//'"'
    else if (word(5) /= 'general' .and. .not. file%symmetric) then
      error = place(file)//'only "general" and "symmetric" can be read, not "'//trim(word(5))//'"'
    end if
  end subroutine

  !> Sets `rows` to the rows of the matrix from `first` on, and closes the file. Values of equal indices are added.
  subroutine read_rows(file, first, rows, error)
    type(market_file), intent(inout) :: file
    integer, intent(in) :: first
    real(real64), intent(out) :: rows(:, :)
    character(len=:), allocatable, intent(out) :: error
    character(len=1024) :: line
    character(len=64) :: counts
    integer(int64) :: k
    integer :: i, j
    real(real64) :: value

    rows = 0
    do k = 1, file%entries + 1
      call next_line(file, line, error)
      if (.not. allocated(error) .and. k <= file%entries .and. line /= '') call read_entry(file, line, i, j, value, error)
      if (allocated(error)) return
      if (k > file%entries .or. line == '') exit
      call add(i, j)
      if (file%symmetric .and. i /= j) call add(j, i)
    end do
    close (file%unit)
    write (counts, '(i0, a, i0)') min(k - 1, file%entries), ' of ', file%entries
    if (k <= file%entries) then
      error = place(file)//'the file ends after '//trim(counts)//' entries'
    else if (line /= '') then
      error = place(file)//'more lines than entries: '//trim(line)
    end if

  contains

    subroutine add(row, column)
      integer, intent(in) :: row, column
      if (row >= first .and. row - first < size(rows, 1)) &
        rows(row - first + 1, column) = rows(row - first + 1, column) + value
    end subroutine

  end subroutine

  subroutine read_entry(file, line, i, j, value, error)
    type(market_file), intent(in) :: file
    character(len=*), intent(in) :: line
    integer, intent(out) :: i, j
    real(real64), intent(out) :: value
    character(len=:), allocatable, intent(inout) :: error
    integer :: status

    i = 0
    j = 0
    value = 0
    status = 1
    ! List-directed input gives other characters a meaning ("/" ends the list).
    if (words(line) == 3 .and. verify(trim(line), ' 0123456789+-.eEdD') == 0) read (line, *, iostat=status) i, j, value
    if (status /= 0 .or. .not. ieee_is_finite(value)) then
      error = place(file)//'expected row, column and value, not: '//trim(line)
    else if (min(i, j) < 1 .or. max(i, j) > file%n) then
      error = place(file)//'outside the matrix: '//trim(line)
    else if (file%symmetric .and. i < j) then
      error = place(file)//'above the diagonal of a symmetric matrix: '//trim(line)
    end if
  end subroutine

  !> Reads the next line that is not a comment, or the header. `line` is empty at the end of the file. Tabs and carriage
  !! returns become blanks.
  subroutine next_line(file, line, error, header)
    type(market_file), intent(inout) :: file
    character(len=*), intent(out) :: line
    character(len=:), allocatable, intent(inout) :: error
    logical, intent(in), optional :: header
    character(len=1024) :: reason
    integer :: status, k

    do
      read (file%unit, '(a)', iostat=status, iomsg=reason) line
      if (status == iostat_end) line = ''
      if (status == iostat_end) return
      file%line = file%line + 1
      if (status /= 0) error = place(file)//trim(reason)
      if (status /= 0) return
      do k = 1, len_trim(line)
        if (iachar(line(k:k)) == 9 .or. iachar(line(k:k)) == 13) line(k:k) = ' '
      end do
      if (present(header)) return
      line = adjustl(line)
      if (line /= '' .and. line(1:1) /= '%') return
    end do
  end subroutine

  pure integer function words(line)
    character(len=*), intent(in) :: line
    integer :: k

    words = count([(line(k:k) /= ' ' .and. (k == 1 .or. line(max(k - 1, 1):max(k - 1, 1)) == ' '), k=1, len_trim(line))])
  end function

  function place(file)
    type(market_file), intent(in) :: file
    character(len=:), allocatable :: place
    character(len=20) :: number

    write (number, '(i0)') file%line
    place = file%name//':'//trim(number)//': '
  end function

end module matrix_market
