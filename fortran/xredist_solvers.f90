! SPDX-License-Identifier: BSD-3-Clause
!> The layout that a solver wants. A program distributes a matrix as its physics needs, for instance in slabs; a solver
!! accepts, or is fast with, other layouts:
!!
!!     call xredist_fit(ctxt, n, n, desca, descb, rows, cols, solver='scalapack')
!!     allocate(b(rows, cols), z(rows, cols))
!!     call xredist_plan_create(there, ctxt, n, n, desca, descb, 'D')
!!     call xredist_plan_create(back, ctxt, n, n, descb, desca, 'D')
!!     call xredist_execute(there, a, b)
!!     if (descb(2) >= 0) &
!!       call pdsyevd('V', 'L', n, b, 1, 1, descb, w, z, 1, 1, descb, workspace, lwork, iwork, liwork, info)
!!     call xredist_execute(back, z, a)
!!     call xredist_tell(ctxt, descb, w)
!!
!! XREDIST_FIT chooses the layout of an M x N matrix by the rules of a solver, and puts the layout on the processes that
!! already hold most of A. If A has a suitable layout, DESCB is DESCA. ROWS and COLS are the size of the local array of B.
!! On a process outside of B's grid, DESCB(2) is -1, and ROWS and COLS are 0. The BLACS context in DESCB belongs to the
!! library: calls that choose the same grid return the same context, until XREDIST_FIT_FREE(CTXT) or BLACS_GRIDEXIT(CTXT)
!! frees it. All processes of CTXT call, and pass equal arguments, except for DESCA outside of A's grid. The library checks
!! this.
!!
!! The next arguments are optional, and passed by keyword:
!!
!!     solver                  'scalapack' (default), 'elpa', 'elpa-gpu', 'slate', 'dlaf', 'cusolvermp'; ' ': no rules
!!     processes, per_node, multiple, share, block, min_block, max_block, blocks, flat, grid, power, columns
!!                             rules that replace those of the solver; 0 is no rule, as in xredist/fit.h
!!     rows_a, cols_a          integer(int64) arrays: bounds of a partition of A
!!     owners_rows_a, owners_cols_a  integer arrays: owners of its intervals, in whatever order they store them
!!     info                    0 or a code of module xredist; without INFO, an error prints a sentence and ends the program
!!
!! With an MPI communicator, A and B are of type XREDIST_LAYOUT of module xredist. RANKS has an element for each process of
!! COMM; the first B%NPROW * B%NPCOL elements become the ranks of B, row-major. RANKS_A are those of A:
!!
!!     call xredist_fit(comm, n, n, layout_a, layout_b, ranks, solver='elpa')
!!
!! XREDIST_TELL copies DATA from the first process of B's grid to all processes of CTXT (COMM): eigenvalues, or INFO of the
!! solver. DATA is a contiguous array of any rank and type, or a scalar.
!!
!!     call xredist_tell(ctxt, descb, w)
!!     call xredist_tell(comm, layout_b, w, ranks=ranks(:layout_b%nprow*layout_b%npcol))
!!
!! xredist/fit.h and the manual page xredist_fit(3) describe the rules. The library has no code of ScaLAPACK: a program
!! that uses this module needs xredist.
module xredist_solvers
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_size_t
  use xredist, only: xredist_layout
  implicit none
  private

  public :: xredist_fit, xredist_fit_free, xredist_tell

  integer, parameter :: int_kind = merge(c_int64_t, c_int, kind(0) == c_int64_t)  ! the default kind, named by C

  !> The type of an argument that is always absent. It precedes optional arguments that must be passed by keyword, so that
  !! INFO in their position does not compile.
  type, bind(c) :: keywords
    private
    integer(c_int) :: none = 0
  end type

  interface xredist_fit
    module procedure fit_blacs, fit_comm
  end interface

  ! The routine of the library. SOLVER has LENGTH characters, which sequence association passes without a descriptor. A
  ! context has DESCA, DESCB, ROWS and COLS; a communicator has A, B, RANKS and RANKS_A.
  interface
    subroutine fit(place, m, n, keywords_only, solver, length, processes, per_node, multiple, share, block, min_block, &
                   max_block, blocks, flat, grid, power, columns, rows_a, cols_a, owners_rows_a, owners_cols_a, info, &
                   desca, descb, rows, cols, a, b, ranks, ranks_a) bind(c, name='xredist_fortran_fit')
      import :: c_char, c_int64_t, c_size_t, int_kind, keywords, xredist_layout
      integer(int_kind), intent(in) :: place, m, n
      type(keywords), intent(in), optional :: keywords_only
      character(kind=c_char), intent(in), optional :: solver(*)
      integer(c_size_t), value :: length
      integer(int_kind), intent(in), optional :: processes, per_node, multiple, share, block, min_block, max_block, blocks, &
                                                 flat
      character(kind=c_char), intent(in), optional :: grid, power
      integer(int_kind), intent(in), optional :: columns
      integer(c_int64_t), intent(in), optional :: rows_a(:), cols_a(:)
      integer(int_kind), intent(in), optional :: owners_rows_a(:), owners_cols_a(:)
      integer(int_kind), intent(out), optional :: info
      integer(int_kind), intent(in), optional :: desca(9), ranks_a(:)
      integer(int_kind), intent(inout), optional :: descb(9), rows, cols, ranks(:)
      type(xredist_layout), intent(in), optional :: a
      type(xredist_layout), intent(inout), optional :: b
    end subroutine
  end interface

  interface xredist_tell
    subroutine tell_blacs(ctxt, descb, data, info) bind(c, name='xredist_fortran_tell_blacs')
      import :: int_kind
      integer(int_kind), intent(in) :: ctxt, descb(9)
      type(*), dimension(..), intent(inout) :: data
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine tell_comm(comm, b, data, keywords_only, ranks, info) bind(c, name='xredist_fortran_tell_comm')
      import :: int_kind, keywords, xredist_layout
      integer(int_kind), intent(in) :: comm
      type(xredist_layout), intent(in) :: b
      type(*), dimension(..), intent(inout) :: data
      type(keywords), intent(in), optional :: keywords_only
      integer(int_kind), intent(in), optional :: ranks(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  interface
    subroutine xredist_fit_free(ctxt, info) bind(c, name='xredist_fortran_fit_free')
      import :: int_kind
      integer(int_kind), intent(in) :: ctxt
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

contains

  subroutine fit_blacs(ctxt, m, n, desca, descb, rows, cols, keywords_only, solver, processes, per_node, multiple, &
                       share, block, min_block, max_block, blocks, flat, grid, power, columns, rows_a, cols_a, &
                       owners_rows_a, owners_cols_a, info)
    integer, intent(in) :: ctxt, m, n, desca(9)
    integer, intent(out) :: descb(9), rows, cols
    type(keywords), intent(in), optional :: keywords_only
    character(len=*), intent(in), optional :: solver
    integer, intent(in), optional :: processes, per_node, multiple, share, block, min_block, max_block, blocks, flat
    integer, intent(in), optional :: columns
    character, intent(in), optional :: grid, power
    integer(c_int64_t), intent(in), optional :: rows_a(:), cols_a(:)
    integer, intent(in), optional :: owners_rows_a(:), owners_cols_a(:)
    integer, intent(out), optional :: info

    call fit(ctxt, m, n, keywords_only, solver, length_of(solver), processes, per_node, multiple, share, block, min_block, &
             max_block, blocks, flat, grid, power, columns, rows_a, cols_a, owners_rows_a, owners_cols_a, info, desca, &
             descb, rows, cols)
  end subroutine

  subroutine fit_comm(comm, m, n, a, b, ranks, keywords_only, solver, processes, per_node, multiple, share, block, &
                      min_block, max_block, blocks, flat, grid, power, columns, rows_a, cols_a, owners_rows_a, &
                      owners_cols_a, ranks_a, info)
    integer, intent(in) :: comm, m, n
    type(xredist_layout), intent(in) :: a
    type(xredist_layout), intent(out) :: b
    integer, intent(out) :: ranks(:)
    type(keywords), intent(in), optional :: keywords_only
    character(len=*), intent(in), optional :: solver
    integer, intent(in), optional :: processes, per_node, multiple, share, block, min_block, max_block, blocks, flat
    integer, intent(in), optional :: columns
    character, intent(in), optional :: grid, power
    integer(c_int64_t), intent(in), optional :: rows_a(:), cols_a(:)
    integer, intent(in), optional :: owners_rows_a(:), owners_cols_a(:), ranks_a(:)
    integer, intent(out), optional :: info

    call fit(comm, m, n, keywords_only, solver, length_of(solver), processes, per_node, multiple, share, block, min_block, &
             max_block, blocks, flat, grid, power, columns, rows_a, cols_a, owners_rows_a, owners_cols_a, info, a=a, b=b, &
             ranks=ranks, ranks_a=ranks_a)
  end subroutine

  !> Returns the number of characters; 0 if the text is absent.
  pure integer(c_size_t) function length_of(text)
    character(len=*), intent(in), optional :: text

    length_of = 0
    if (present(text)) length_of = len(text, c_size_t)
  end function

end module xredist_solvers
