! SPDX-License-Identifier: BSD-3-Clause
!> Explicit interfaces of xredist: P?GEMR2D and P?TRMR2D, and plans. The program links the library; the module itself has
!! no code. Integers are of the default kind: with gfortran's -fdefault-integer-8 they have 64 bits, for
!! libxredist_scalapack_ilp64.
!!
!! P?GEMR2D and P?TRMR2D
!! ---------------------
!! The manual page pdgemr2d(3) describes the routines. They have the external names of ScaLAPACK's routines, so a program
!! that uses no other part of this module runs with xredist or with ScaLAPACK, whichever is linked first. The specific
!! names take local arrays of any rank, the generic names (pgemr2d, ptrmr2d) local arrays of rank 1.
!!
!! Plans
!! -----
!! A program makes a plan once and executes it many times:
!!
!!     type(xredist_plan) :: plan
!!     call xredist_plan_create(plan, ctxt, m, n, desca, descb, 'D')
!!     call xredist_execute(plan, a, b)
!!     call xredist_plan_destroy(plan)
!!
!! A plan computes B := BETA B + ALPHA op(A) for the submatrices of both matrices. M x N is the submatrix of B; the
!! submatrix of a transposed A is N x M. Indices are global and count from 1. Sizes count elements. DESCA and DESCB are
!! array descriptors as DESCINIT makes them. CTXT is a BLACS context that covers both grids, and all its processes call. A
!! process outside a grid sets DESC(2) = -1; its other arguments of this matrix are ignored. A and B must not overlap,
!! unless one process holds all data.
!!
!! XREDIST_PLAN_CREATE makes a plan from a BLACS context and array descriptors, as above, or from an MPI communicator and
!! layouts:
!!
!!     call xredist_plan_create(plan, comm, m, n, xredist_layout(2, 2, 64, 64), xredist_layout(1, 4, 32, 32), 'D')
!!
!! COMM is an INTEGER; with mpi_f08 it is COMM%MPI_VAL. The library checks that all processes of a context pass the same
!! arguments. These optional arguments are passed by keyword:
!!
!!     type                    of A's elements: 'I' integer, 'S' real, 'D' double precision, 'C' complex, 'Z' double complex
!!     bytes                   without TYPE: size of an element, 1 to 65536; elements are copied or transposed as they are
!!     ia, ja, ib, jb          first row and column of the submatrices of A and B; default 1
!!     type_b                  of B's elements, if elements are converted; one type includes all values of the other
!!     trans                   'T' transpose, 'C' conjugate transpose, 'R' conjugate; default 'N'
!!     uplo, diag              as in P?TRMR2D; default 'A' (all elements) and 'N'
!!     mirror                  'S', 'H': A is symmetric or Hermitian, and only its triangle UPLO is stored; default 'N'.
!!                             With 'H', imaginary parts of the diagonal count as 0
!!     rows_a, cols_a, rows_b, cols_b  integer(int64) arrays: bounds of a partition
!!     owners_rows_a, owners_cols_a, owners_rows_b, owners_cols_b  integer arrays: owners of its intervals
!!     places_rows_a, places_cols_a, places_rows_b, places_cols_b  integer(int64) arrays: where the owners store them
!!     list_rows_a, list_cols_a, list_rows_b, list_cols_b  integer arrays: rows and columns in place of neighbours
!!     ranks_a, ranks_b        with COMM: integer arrays, row-major: rank of each process of the grid; default 0, 1, 2 ...
!!
!! With lists, B(LIST_ROWS_B(k), LIST_COLS_B(l)) := BETA B(...) + ALPHA op(A(LIST_ROWS_A(k), LIST_COLS_A(l))). LIST_ROWS_B
!! has M elements and LIST_COLS_B N; LIST_ROWS_A has M and LIST_COLS_A N or, if A is transposed, N and M. Elements count
!! from 1. A list of A may have an element several times, a list of B may not. All processes of the context, or of both
!! grids, pass equal lists. Columns in the order of their eigenvalues:
!!
!!     call xredist_plan_create(plan, ctxt, n, n, desca, desca, 'D', list_cols_a=order)
!!
!! A dimension without bounds is block-cyclic. Process row (or column) OWNERS(k + 1), by default k, owns the rows
!! BOUNDS(k + 1) + 1 to BOUNDS(k + 2), where k counts from 0. BOUNDS(1) is 0, and the last bound is the size of the
!! matrix. OWNERS has one element less than BOUNDS.
!!
!! An owner stores its intervals in the order of the matrix, unless PLACES tells another order: PLACES(k + 1) is the
!! number of local rows before the first one of the interval. PLACES has as many elements as OWNERS. No two intervals
!! share local rows. There may be gaps between intervals, which the library does not access. Here, process row 0 stores
!! rows 33 to 42 before rows 1 to 20:
!!
!!     bounds = [0, 20, 32, 42]
!!     owners = [0, 1, 0]
!!     places = [10, 0, 0]
!!     call xredist_plan_create(plan, ctxt, 42, n, desca, descb, 'D', rows_a=bounds, owners_rows_a=owners, &
!!                              places_rows_a=places)
!!
!! XREDIST_LOCAL_SIZE returns the numbers of local rows and columns of this process, or of a rank, as NUMROC does, for
!! partitions too; 0 outside the grid. ROWS, COLS, OWNERS_ROWS, OWNERS_COLS, PLACES_ROWS, PLACES_COLS and (of a layout)
!! RANKS are optional, as in XREDIST_PLAN_CREATE. With places, the numbers are those up to the last row and column that
!! the process holds:
!!
!!     call xredist_local_size(desc, local_rows, local_cols, rows=bounds, owners_rows=owners)
!!     call xredist_local_size(xredist_layout(2, 2, 64, 64), m, n, rank, local_rows, local_cols)
!!
!! XREDIST_LOCAL_TO_GLOBAL returns the row of the matrix that is in each local row of this process, or of a rank, and the
!! column in each local column, as INDXL2G does, for partitions too. Indices count from 1. The integer arrays GLOBAL_ROWS
!! and GLOBAL_COLS have at least LOCAL_ROWS and LOCAL_COLS elements; others are not set. 0 stands for a gap. This program
!! fills its local array with a Hilbert matrix:
!!
!!     call xredist_local_to_global(desc, global_rows, global_cols, rows=bounds, owners_rows=owners)
!!     do col = 1, local_cols
!!       a(:local_rows, col) = 1.0d0/(global_rows(:local_rows) + global_cols(col) - 1)
!!     end do
!!     call xredist_local_to_global(xredist_layout(2, 2, 64, 64), m, n, rank, global_rows, global_cols)
!!
!! XREDIST_GLOBAL_TO_LOCAL returns the process that owns an element of the matrix, and the row and the column of the element
!! in the local array of this process, as INDXG2P and INDXG2L do, for partitions too. For a descriptor, the process is
!! (PROW, PCOL) of the grid, and only processes of the grid call. For a layout it is a rank. After an error, PROW, PCOL and
!! RANK are -1:
!!
!!     call xredist_global_to_local(desc, i, j, prow, pcol, local_row, local_col)
!!     if (prow == myrow .and. pcol == mycol) a(local_row, local_col) = alpha
!!     call xredist_global_to_local(xredist_layout(2, 2, 64, 64), i, j, rank, local_row, local_col)
!!
!! XREDIST_DESCINIT makes an array descriptor as DESCINIT does, for partitions too:
!!
!!     call xredist_descinit(desc, m, n, mb, nb, rsrc, csrc, ctxt, rows=bounds, owners_rows=owners)
!!
!! LLD and INFO are the next positional arguments. Without LLD, LLD_ is the number of local rows, at least 1. For a
!! dimension with a partition, MB and RSRC (NB and CSRC) are ignored, and MB_ (NB_) is 0: a routine that does not know
!! partitions refuses the descriptor. INFO is -K if argument K is invalid, -11 for ROWS, OWNERS_ROWS or PLACES_ROWS, -12
!! for COLS, OWNERS_COLS or PLACES_COLS; then DESC is 0.
!!
!! XREDIST_EXECUTE executes a plan. ALPHA and BETA are scalars of B's type and kind, passed by keyword; default 1 and 0.
!! All processes of both grids call.
!!
!! XREDIST_START starts the same exchange and returns. Until the exchange has ended, keep both arrays, do not read B and do
!! not change A. Both arrays have the ASYNCHRONOUS attribute. All processes start exchanges in the same order. With an
!! array of XREDIST_JOB(plan, a, b [, alpha] [, beta]), all jobs are one exchange (a batch); local arrays in jobs have the
!! attributes TARGET and ASYNCHRONOUS. All plans have one context or communicator. All processes pass the same plans in the
!! same order.
!!
!! XREDIST_TEST makes progress, and sets DONE to whether REQUEST has ended. XREDIST_WAIT returns when REQUEST has ended.
!! XREDIST_TEST_MEMBER and XREDIST_WAIT_MEMBER test for and wait for one job of a batch, counted from 1: its B is complete
!! on this process and its A may be changed. The program still waits for REQUEST at the end.
!!
!! XREDIST_PLAN_TUNE executes a plan in several ways (routes, schedules, packet sizes), and the plan keeps the fastest one.
!! All processes of the context or communicator call; outside both grids the arrays are ignored. B is as after one
!! execution. There is no BETA, and A and B do not overlap in memory. An error on one process is an error on all.
!!
!! XREDIST_PLAN_QUERY returns bytes sent, received and kept by this process, and other numbers of a plan.
!! XREDIST_PLAN_DESTROY frees a plan; exchanges under way that use it continue. XREDIST_SET_OPTION sets an option for all
!! plans that are made for CTXT later: 'buffer', '64M' stands for the variable XREDIST_BUFFER=64M. All processes of CTXT
!! call. XREDIST_SET_OPTION_COMM does so for the plans of a communicator:
!!
!!     call xredist_set_option_comm(comm, 'buffer', '64M')
!!
!! Arrays of any number of dimensions
!! ----------------------------------
!! Arrays of 1 to 15 dimensions (axes) have plans on communicators. The pencils of an NX x NY x NZ array, whole along x on
!! a 1 x 2 x 2 grid, become pencils that are whole along y on a 2 x 1 x 2 grid:
!!
!!     type(xredist_array_layout) :: a, b
!!     a = xredist_array_layout('(*, BLOCK, BLOCK)', grid=[1, 2, 2])
!!     b = xredist_array_layout('(BLOCK, *, BLOCK)', grid=[2, 1, 2])
!!     call xredist_plan_create(plan, comm, [nx, ny, nz], a, b, 'D')
!!     call xredist_execute(plan, u, v)
!!
!! The pattern is that of High Performance Fortran: * is an axis that is not distributed, BLOCK has blocks of
!! CEILING(n / processes) elements, EVEN has one block for each process whose sizes differ by 1 at most, and CYCLIC(k) has
!! blocks of k elements (CYCLIC: 1). GEN_BLOCK is a partition with one interval for each process, and GEN_BLOCK(k) one with
!! k intervals. GRID has the number of processes along each axis; the last axis is the fastest one in
!! the ranks. The next arguments are passed by keyword:
!!
!!     order                   the axes from the fastest to the slowest in memory, from 1; default 1, 2, 3 ...
!!     shape                   the size of the whole array; default: the array ends with the subarray that moves. BLOCK and
!!                             EVEN divide this size
!!     source                  for each axis, the process, from 0, that owns the first block; default 0
!!     copies                  the number of copies of the array, each on a grid of its own; default 1. A plan reads the
!!                             first copy of A, and writes the same elements to all copies of B
!!
!! A layout is a value. Errors in its arguments are those of the routines that take the layout. (gfortran 11 passes a
!! pattern wrongly that is an expression, TRIM(TEXT)//')': assign it to a variable, whose blanks at the end do not count.)
!!
!! XREDIST_PLAN_CREATE has the arguments SHAPE (the size of the subarray that moves), A, B, TYPE and, by keyword:
!!
!!     first_a, first_b        index of the first element of the subarray in A and B along each axis; default 1
!!     type_b, bytes           as above
!!     conj                    'R': the conjugate; default 'N'
!!     bounds_a, bounds_b      integer(int64): the bounds of each axis with GEN_BLOCK, one axis after the other. An axis of
!!                             k intervals has k + 1 bounds, the first of which is 0
!!     owners_a, owners_b      the processes along these axes, from 0, that own the intervals; default 0, 1, 2 ...
!!     places_a, places_b      integer(int64): for each interval, the number of local elements along its axis before the
!!                             first one of the interval; default: in the order of the array, without gaps
!!     listed_a, listed_b      the axes, from 1, on which lists name elements in place of neighbours
!!     lists_a, lists_b        the elements along these axes, from 1, one axis after the other: SHAPE(k) for axis k
!!     ranks_a, ranks_b        the rank of each process of the grid, the last axis fastest; default 0, 1, 2 ...
!!
!! XREDIST_LOCAL_SHAPE sets LOCAL to the number of elements that process RANK holds along each axis of an array of size
!! SHAPE; to 0 outside the grid. Gaps between places count. The optional arguments BOUNDS, OWNERS, PLACES and RANKS are
!! those of the plan. Dimension J of the local array of a layout with ORDER has LOCAL(ORDER(J)) elements:
!!
!!     call xredist_local_shape(layout, [nx, ny, nz], rank, local)
!!     allocate (u(local(1), local(2), local(3)))
!!
!! XREDIST_RELABEL sets RANKS to the ranks for the grid of B that keep the most elements on their processes, KEPT(1) to the
!! fraction of the elements that stay with these ranks, and KEPT(2) to that with the ranks of B. RANKS may become RANKS_B of
!! the plan. The optional arguments FIRST_A to RANKS_B are those of the plan, without places, which have no effect on
!! ranks. The call is local:
!!
!!     call xredist_relabel(comm, [nx, ny, nz], x, y, ranks, kept)
!!     call xredist_plan_create(plan, comm, [nx, ny, nz], x, y, 'D', ranks_b=ranks)
!!
!! All other routines take plans of arrays. The section on local arrays tells which arrays fit.
!!
!! Local arrays
!! ------------
!! A local array has any rank. The size of its elements must be that of the plan's type; where the plan converts,
!! conjugates or scales elements, their type too. Arrays are passed by descriptor and never copied. The library checks
!! each array against the plan:
!!
!! - A contiguous array has the leading dimension LLD_ of its array descriptor (for layouts: the number of local rows up
!!   to the end of the submatrix, or to the last row of a list), whatever its own shape is. It contains all elements up to
!!   the last column that the plan accesses on this process.
!! - A section of rank 2 with contiguous columns, such as WORK(:LOCAL_ROWS, :LOCAL_COLS), has the leading dimension of
!!   WORK. Any other section that is not contiguous is an error.
!! - The size of an assumed-size array A(LDA, *) is unknown, so only its elements are checked. An array element WORK(K)
!!   stands for all elements from WORK(K) on, as in FORTRAN 77; its size is unknown too. WORK(K:) has a known size.
!! - On a process that holds no part of a matrix, its array is ignored, and may be absent or not allocated.
!!
!! In a plan of arrays, a local array with a dimension for each axis passes as it is: sections such as U(1:NX, 1:NY, 1:NZ),
!! arrays with halos or padding, W(::2, :, :). Dimension J is axis ORDER(J). Each extent has at least the elements of this
!! axis up to the end of the subarray, and elements do not go from the last one to the first one. A contiguous array of
!! another rank stands for its elements, one after the other without gaps, as in FORTRAN 77: a work array of rank 1 may be
!! longer, an array of rank 2 or more has exactly the elements of the local array. An array of another rank that is not
!! contiguous is an error: W(1:1, :, :) keeps a dimension that W(1, :, :) loses. A component of an array of derived type
!! passes by a pointer, VALUES => POINTS%VALUE, because gfortran 12 passes POINTS%VALUE itself wrongly (gfortran 11: both).
!!
!! Array descriptors differ between compilers: use the Fortran compiler that the library was built with. (gfortran 11 and
!! 12 were tested, also one with a library of the other; no other compiler.)
!!
!! Errors
!! ------
!! INFO is an optional argument of all routines that can fail. After other optional arguments, pass INFO by keyword: by
!! position it does not compile. INFO is 0 or a code of the module, and XREDIST_ERROR_TEXT(TEXT) sets TEXT to a sentence
!! that names the argument, its value and the rule, padded with blanks. A new plan of a context has the same INFO on all
!! its processes; a process outside CTXT gets an error of its own. Without INFO, an error prints the sentence and ends
!! the program.
!!
!! ScaLAPACK has no plans: a program that uses them needs xredist. Module xredist_library has the version of the library
!! and the destination of its messages.
module xredist
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int32_t, c_int64_t, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  private

  public :: pgemr2d, pigemr2d, psgemr2d, pdgemr2d, pcgemr2d, pzgemr2d
  public :: ptrmr2d, pitrmr2d, pstrmr2d, pdtrmr2d, pctrmr2d, pztrmr2d
  public :: xredist_local_size, xredist_local_to_global, xredist_global_to_local, xredist_descinit
  public :: xredist_array_layout, xredist_local_shape, xredist_relabel
  public :: xredist_layout, xredist_plan, xredist_plan_info, xredist_plan_create, xredist_plan_query, xredist_plan_destroy
  public :: xredist_plan_tune, xredist_set_option, xredist_set_option_comm, xredist_job, xredist_request
  public :: xredist_execute, xredist_move, xredist_start, xredist_alloc, xredist_free
  public :: xredist_test, xredist_wait, xredist_test_member, xredist_wait_member, xredist_error_text
  public :: xredist_no_memory, xredist_bad_option, xredist_disagreement, xredist_peer_failed, xredist_invalid_argument
  public :: xredist_success, xredist_file_error

  integer, parameter :: int_kind = merge(c_int64_t, c_int, kind(0) == c_int64_t)  ! the default kind, named by C

  !> No error; this process is out of memory; a variable XREDIST_... has an invalid value; processes passed different
  !! arguments; another process is out of memory; an argument is invalid; a file cannot be opened, read or written, or has
  !! other contents.
  integer, parameter :: xredist_success = 0, xredist_no_memory = 1, xredist_bad_option = 2, xredist_disagreement = 3, &
                        xredist_peer_failed = 4, xredist_invalid_argument = 5, xredist_file_error = 6

  integer, parameter :: max_axes = 15, max_pattern = 512

  !> The block-cyclic distribution of a matrix over an NPROW x NPCOL process grid.
  type, bind(c) :: xredist_layout
    integer(int_kind) :: nprow, npcol        !< at least 1
    integer(int_kind) :: mb = 0, nb = 0      !< block size; ignored for a dimension with a partition
    integer(int_kind) :: rsrc = 0, csrc = 0  !< grid row and column, from 0, of the process that owns the first block
  end type

  ! A list with an entry for each axis.
  type, bind(c) :: axes_list
    private
    integer(c_int64_t) :: size = -1, entries(max_axes) = 0
  end type

  !> The distribution of an array over a grid: XREDIST_ARRAY_LAYOUT(pattern, grid [, order] [, shape] [, source]).
  type, bind(c) :: xredist_array_layout
    private
    integer(c_int64_t) :: pattern_length = 0, copies = 1
    type(axes_list) :: grid, order, shape, source
    character(kind=c_char) :: pattern(max_pattern) = ' '
  end type

  type, bind(c) :: xredist_plan
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  !> The costs of one execution of a plan on this process.
  type, bind(c) :: xredist_plan_info
    integer(c_int64_t) :: bytes_sent, bytes_received  !< to and from other processes, including forwarded bytes
    integer(c_int64_t) :: bytes_kept                  !< copied from A to B within this process
    integer(c_int64_t) :: buffer_bytes                !< upper bound of the memory for packets and forwarded messages
    integer(c_int64_t) :: rows_a, rows_b              !< local rows up to the end of the submatrix; 0 without a part of it
    integer(c_int64_t) :: steps, rounds               !< of the schedule; rounds of a panel: 1 if messages travel directly
    integer(c_int64_t) :: peak_bytes                  !< of the parts of A and B at once, if the execution consumes A
    integer(c_int64_t) :: reserved(7)                 !< for later versions
  end type

  ! A local array, and a scalar, as the library sees them.
  type, bind(c) :: local_array
    private
    type(c_ptr) :: address = c_null_ptr
    integer(c_int64_t) :: element_bytes = 0, elements = 0, rows = 0, cols = 0, ld = 0
    integer(c_int32_t) :: shape = 0, type = 0
    integer(c_int64_t) :: rank = 0, extents(max_axes) = 0, steps(max_axes) = 0
  end type
  type, bind(c) :: scalar
    private
    integer(c_int32_t) :: type = 0, present = 0
    integer(c_int64_t) :: value(2) = 0
  end type

  !> A job of a batch: XREDIST_JOB(plan, a, b [, alpha] [, beta]).
  type, bind(c) :: xredist_job
    private
    type(xredist_plan) :: plan
    type(local_array) :: a, b
    type(scalar) :: alpha, beta
  end type

  !> An exchange or a batch under way. A request that has no exchange has ended.
  type, bind(c) :: xredist_request
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  !> The type of an argument that is always absent. It precedes optional arguments that must be passed by keyword, so that
  !! INFO in their position does not compile.
  type, bind(c) :: keywords
    private
    integer(c_int) :: none = 0
  end type

  interface xredist_plan_create
    subroutine plan_create_blacs(plan, ctxt, m, n, desca, descb, type, keywords_only, ia, ja, ib, jb, type_b, trans, &
                                 uplo, diag, mirror, bytes, rows_a, cols_a, rows_b, cols_b, owners_rows_a, &
                                 owners_cols_a, owners_rows_b, owners_cols_b, places_rows_a, places_cols_a, &
                                 places_rows_b, places_cols_b, list_rows_a, list_cols_a, list_rows_b, list_cols_b, &
                                 info) bind(c, name='xredist_fortran_plan_create_blacs')
      import :: c_char, c_int64_t, int_kind, keywords, xredist_plan
      type(xredist_plan), intent(out) :: plan
      integer(int_kind), intent(in) :: ctxt, m, n, desca(9), descb(9)
      type(keywords), intent(in), optional :: keywords_only
      integer(int_kind), intent(in), optional :: ia, ja, ib, jb, bytes
      character(kind=c_char), intent(in), optional :: type, type_b, trans, uplo, diag, mirror
      integer(c_int64_t), intent(in), optional :: rows_a(:), cols_a(:), rows_b(:), cols_b(:)
      integer(c_int64_t), intent(in), optional :: places_rows_a(:), places_cols_a(:), places_rows_b(:), places_cols_b(:)
      integer(int_kind), intent(in), optional :: owners_rows_a(:), owners_cols_a(:), owners_rows_b(:), owners_cols_b(:)
      integer(int_kind), intent(in), optional :: list_rows_a(:), list_cols_a(:), list_rows_b(:), list_cols_b(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine plan_create_comm(plan, comm, m, n, a, b, type, keywords_only, ia, ja, ib, jb, type_b, trans, uplo, diag, &
                                mirror, bytes, rows_a, cols_a, rows_b, cols_b, owners_rows_a, owners_cols_a, &
                                owners_rows_b, owners_cols_b, places_rows_a, places_cols_a, places_rows_b, &
                                places_cols_b, list_rows_a, list_cols_a, list_rows_b, list_cols_b, ranks_a, ranks_b, &
                                info) bind(c, name='xredist_fortran_plan_create_comm')
      import :: c_char, c_int64_t, int_kind, keywords, xredist_layout, xredist_plan
      type(xredist_plan), intent(out) :: plan
      integer(int_kind), intent(in) :: comm, m, n
      type(xredist_layout), intent(in) :: a, b
      type(keywords), intent(in), optional :: keywords_only
      integer(int_kind), intent(in), optional :: ia, ja, ib, jb, bytes
      character(kind=c_char), intent(in), optional :: type, type_b, trans, uplo, diag, mirror
      integer(c_int64_t), intent(in), optional :: rows_a(:), cols_a(:), rows_b(:), cols_b(:)
      integer(c_int64_t), intent(in), optional :: places_rows_a(:), places_cols_a(:), places_rows_b(:), places_cols_b(:)
      integer(int_kind), intent(in), optional :: owners_rows_a(:), owners_cols_a(:), owners_rows_b(:), owners_cols_b(:)
      integer(int_kind), intent(in), optional :: list_rows_a(:), list_cols_a(:), list_rows_b(:), list_cols_b(:)
      integer(int_kind), intent(in), optional :: ranks_a(:), ranks_b(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine plan_create_arrays(plan, comm, shape, a, b, type, keywords_only, first_a, first_b, type_b, conj, bytes, &
                                  bounds_a, bounds_b, owners_a, owners_b, places_a, places_b, listed_a, listed_b, &
                                  lists_a, lists_b, ranks_a, ranks_b, info) &
      bind(c, name='xredist_fortran_plan_create_arrays')
      import :: c_char, c_int64_t, int_kind, keywords, xredist_array_layout, xredist_plan
      type(xredist_plan), intent(out) :: plan
      integer(int_kind), intent(in) :: comm, shape(:)
      type(xredist_array_layout), intent(in) :: a, b
      type(keywords), intent(in), optional :: keywords_only
      integer(int_kind), intent(in), optional :: first_a(:), first_b(:), bytes
      character(kind=c_char), intent(in), optional :: type, type_b, conj
      integer(c_int64_t), intent(in), optional :: bounds_a(:), bounds_b(:), places_a(:), places_b(:)
      integer(int_kind), intent(in), optional :: owners_a(:), owners_b(:), ranks_a(:), ranks_b(:)
      integer(int_kind), intent(in), optional :: listed_a(:), listed_b(:), lists_a(:), lists_b(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  ! PATTERN is a text, which a C descriptor describes with its length.
  interface xredist_array_layout
    function array_layout_of(pattern, grid, keywords_only, order, shape, source, copies) &
      bind(c, name='xredist_fortran_array_layout')
      import :: int_kind, keywords, xredist_array_layout
      type(*), dimension(..), intent(in) :: pattern
      integer(int_kind), intent(in) :: grid(:)
      type(keywords), intent(in), optional :: keywords_only
      integer(int_kind), intent(in), optional :: order(:), shape(:), source(:), copies
      type(xredist_array_layout) :: array_layout_of
    end function
  end interface

  include 'xredist_indices.inc'

  interface xredist_job
    function job_of(plan, a, b, alpha, beta) bind(c, name='xredist_fortran_job')
      import :: xredist_job, xredist_plan
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(in), optional, target, asynchronous :: a, b
      type(*), dimension(..), intent(in), optional :: alpha, beta
      type(xredist_job) :: job_of
    end function
  end interface

  interface xredist_start
    subroutine start_plan(plan, a, b, request, keywords_only, alpha, beta, info) bind(c, name='xredist_fortran_start')
      import :: int_kind, keywords, xredist_plan, xredist_request
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(in), optional, asynchronous :: a
      type(*), dimension(..), intent(inout), optional, asynchronous :: b
      type(xredist_request), intent(out) :: request
      type(keywords), intent(in), optional :: keywords_only
      type(*), dimension(..), intent(in), optional :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine start_jobs(jobs, request, info) bind(c, name='xredist_fortran_start_jobs')
      import :: int_kind, xredist_job, xredist_request
      type(xredist_job), intent(in), contiguous :: jobs(:)
      type(xredist_request), intent(out) :: request
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  interface
    subroutine xredist_execute(plan, a, b, keywords_only, alpha, beta, info) bind(c, name='xredist_fortran_execute')
      import :: int_kind, keywords, xredist_plan
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(in), optional :: a
      type(*), dimension(..), intent(inout), optional :: b
      type(keywords), intent(in), optional :: keywords_only
      type(*), dimension(..), intent(in), optional :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    !> Executes a plan as xredist_execute does, while the memory of a goes back to the system: a is undefined afterwards.
    !! The processes of both grids all call xredist_move.
    subroutine xredist_move(plan, a, b, keywords_only, alpha, beta, info) bind(c, name='xredist_fortran_move')
      import :: int_kind, keywords, xredist_plan
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(inout), optional :: a, b
      type(keywords), intent(in), optional :: keywords_only
      type(*), dimension(..), intent(in), optional :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    !> Returns memory for an array, whose pages exist when they are first written, or a null pointer: call
    !! c_f_pointer(xredist_alloc(bytes), array, shape). xredist_free returns it: call xredist_free(c_loc(array)).
    function xredist_alloc(bytes) bind(c, name='xredist_alloc')
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
      type(c_ptr) :: xredist_alloc
    end function
    subroutine xredist_free(memory) bind(c, name='xredist_free')
      import :: c_ptr
      type(c_ptr), value :: memory
    end subroutine
    subroutine xredist_plan_tune(plan, a, b, keywords_only, alpha, info) bind(c, name='xredist_fortran_plan_tune')
      import :: int_kind, keywords, xredist_plan
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(in), optional :: a
      type(*), dimension(..), intent(inout), optional :: b
      type(keywords), intent(in), optional :: keywords_only
      type(*), dimension(..), intent(in), optional :: alpha
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine xredist_relabel(comm, shape, a, b, ranks, kept, keywords_only, first_a, first_b, bounds_a, bounds_b, &
                               owners_a, owners_b, listed_a, listed_b, lists_a, lists_b, ranks_a, ranks_b, info) &
      bind(c, name='xredist_fortran_relabel_array')
      import :: c_double, c_int64_t, int_kind, keywords, xredist_array_layout
      integer(int_kind), intent(in) :: comm, shape(:)
      type(xredist_array_layout), intent(in) :: a, b
      integer(int_kind), intent(inout) :: ranks(:)
      real(c_double), intent(out) :: kept(2)
      type(keywords), intent(in), optional :: keywords_only
      integer(int_kind), intent(in), optional :: first_a(:), first_b(:)
      integer(c_int64_t), intent(in), optional :: bounds_a(:), bounds_b(:)
      integer(int_kind), intent(in), optional :: owners_a(:), owners_b(:), ranks_a(:), ranks_b(:)
      integer(int_kind), intent(in), optional :: listed_a(:), listed_b(:), lists_a(:), lists_b(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine xredist_local_shape(layout, shape, rank, local, keywords_only, bounds, owners, places, ranks, info) &
      bind(c, name='xredist_fortran_local_shape')
      import :: c_int64_t, int_kind, keywords, xredist_array_layout
      type(xredist_array_layout), intent(in) :: layout
      integer(int_kind), intent(in) :: shape(:), rank
      integer(int_kind), intent(inout) :: local(:)
      type(keywords), intent(in), optional :: keywords_only
      integer(c_int64_t), intent(in), optional :: bounds(:), places(:)
      integer(int_kind), intent(in), optional :: owners(:), ranks(:)
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine xredist_descinit(desc, m, n, mb, nb, rsrc, csrc, ctxt, lld, info, keywords_only, rows, cols, &
                                owners_rows, owners_cols, places_rows, places_cols) &
      bind(c, name='xredist_fortran_descinit')
      import :: c_int64_t, int_kind, keywords
      integer(int_kind), intent(out) :: desc(9)
      integer(int_kind), intent(in) :: m, n, mb, nb, rsrc, csrc, ctxt
      integer(int_kind), intent(in), optional :: lld
      integer(int_kind), intent(out), optional :: info
      type(keywords), intent(in), optional :: keywords_only
      integer(c_int64_t), intent(in), optional :: rows(:), cols(:), places_rows(:), places_cols(:)
      integer(int_kind), intent(in), optional :: owners_rows(:), owners_cols(:)
    end subroutine
    subroutine xredist_plan_query(plan, details, info)
      import :: xredist_plan, xredist_plan_info
      type(xredist_plan), intent(in) :: plan
      type(xredist_plan_info), intent(out) :: details
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_plan_destroy(plan)
      import :: xredist_plan
      type(xredist_plan), intent(inout) :: plan
    end subroutine
    subroutine xredist_set_option(ctxt, name, value, info)
      integer, intent(in) :: ctxt
      character(len=*), intent(in) :: name, value
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_set_option_comm(comm, name, value, info)
      integer, intent(in) :: comm
      character(len=*), intent(in) :: name, value
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_test(request, done, info)
      import :: xredist_request
      type(xredist_request), intent(inout) :: request
      logical, intent(out) :: done
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_wait(request, info)
      import :: xredist_request
      type(xredist_request), intent(inout) :: request
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_test_member(request, member, done, info)
      import :: xredist_request
      type(xredist_request), intent(in) :: request
      integer, intent(in) :: member
      logical, intent(out) :: done
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_wait_member(request, member, info)
      import :: xredist_request
      type(xredist_request), intent(in) :: request
      integer, intent(in) :: member
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_error_text(text)
      character(len=*), intent(out) :: text
    end subroutine
  end interface

  include 'xredist_routines.inc'

end module xredist
