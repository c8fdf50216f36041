! SPDX-License-Identifier: BSD-3-Clause
!> Explicit interfaces of xredist: P?GEMR2D and P?TRMR2D, and plans for them. Both copy
!!
!!     B(IB:IB+M-1, JB:JB+N-1) := A(IA:IA+M-1, JA:JA+N-1)
!!
!! between any two block-cyclic distributions on any two process grids. Indices are global and count from 1. Sizes count
!! elements. Integers are of the default kind: with gfortran's -fdefault-integer-8 they have 64 bits, for
!! libxredist_scalapack_ilp64. DESCA and DESCB are array descriptors as DESCINIT makes them. CTXT is a BLACS context that
!! covers both grids, and all its processes call. A process outside a grid sets DESC(2) = -1; its other arguments of this
!! matrix are ignored. A and B must not overlap, unless one process holds all data. The program links the library; the
!! module itself has no code.
!!
!! P?GEMR2D and P?TRMR2D
!! ---------------------
!! P?TRMR2D copies only the upper (UPLO = 'U') or lower ('L') trapezoid, without its diagonal if DIAG = 'U'. An error
!! prints a line on stderr and ends the program. The routines have the external names of ScaLAPACK's routines, so a
!! program that uses no other part of this module runs with xredist or with ScaLAPACK, whichever is linked first. The
!! specific names take local arrays of any rank, the generic names (pgemr2d, ptrmr2d) local arrays of rank 1.
!!
!! Plans
!! -----
!! A program makes a plan once and executes it many times:
!!
!!     type(xredist_plan) :: plan
!!     call xredist_plan_from_descriptors('D', 'A', 'N', m, n, 1, 1, desca, 1, 1, descb, ctxt, plan)
!!     call xredist_execute(plan, a, b)
!!     call xredist_plan_destroy(plan)
!!
!! XREDIST_PLAN_FROM_DESCRIPTORS   makes a plan for elements of TYPE 'I' integer, 'S' real, 'D' double precision, 'C'
!!     complex or 'Z' double complex. UPLO = 'A' copies all elements, 'U' and 'L' the trapezoids of P?TRMR2D. The library
!!     checks that all processes pass the same arguments.
!! XREDIST_PLAN_OPERATION_FROM_DESCRIPTORS   makes a plan for an operation, for instance xredist_operation('D', 'D',
!!     trans='T'). M x N is the submatrix of B; the submatrix of a transposed A is N x M.
!! XREDIST_PLAN_PARTITION_FROM_DESCRIPTORS   makes a plan for matrices with partitions. ROWS_A, COLS_A, ROWS_B and COLS_B
!!     are absent for block-cyclic dimensions.
!! XREDIST_SET_SCALARS   sets ALPHA and BETA for all exchanges that start later: two scalars of B's type and kind. The
!!     default is 1 and 0.
!! XREDIST_SET_CONTEXT_OPTION   sets an option for all plans that are made for CTXT later: 'buffer', '64M' stands for the
!!     variable XREDIST_BUFFER=64M. All processes of CTXT call.
!! XREDIST_EXECUTE   copies the elements. All processes of both grids call.
!! XREDIST_START   starts the same exchange and returns. Until the exchange has ended, keep both arrays, do not read B
!!     and do not change A. Both arrays have the ASYNCHRONOUS attribute. All processes start exchanges in the
!!     same order.
!! XREDIST_START_BATCH   starts COUNT exchanges together: PLANS(i) moves A(i) to B(i). A(i) and B(i) are
!!     XREDIST_ARRAY(array) for local arrays with the attributes TARGET and ASYNCHRONOUS, or XREDIST_ARRAY() on a process
!!     that holds no part. C_LOC(array) and C_NULL_PTR are allowed too, but then the arrays are not checked. All plans
!!     have one context. All processes pass the same plans in the same order.
!! XREDIST_TEST   makes progress and sets DONE if REQUEST has ended. XREDIST_WAIT   returns when REQUEST has ended.
!! XREDIST_TEST_MEMBER, XREDIST_WAIT_MEMBER   test for and wait for one member of a batch, counted from 1: its B is
!!     complete on this process and its A may be changed. The program still waits for REQUEST at the end.
!! XREDIST_PLAN_DESTROY   frees a plan, which no exchange under way uses. A plan is unusable once CTXT is freed.
!!
!! Local arrays
!! ------------
!! A local array has any rank. The size of its elements must be that of the plan's type; where the plan converts,
!! conjugates or scales elements, their type too. Arrays are passed by descriptor and never copied. The library checks
!! each array against the plan:
!!
!! - A contiguous array has the leading dimension LLD_ of its array descriptor, whatever its own shape is. It contains all
!!   elements up to the last column that the plan accesses on this process.
!! - A section of rank 2 with contiguous columns, such as WORK(:LOCAL_ROWS, :LOCAL_COLS), has the leading dimension of
!!   WORK. Any other section that is not contiguous is an error.
!! - The size of an assumed-size array A(LDA, *) is unknown, so only its elements are checked. An array element WORK(K)
!!   stands for all elements from WORK(K) on, as in FORTRAN 77; its size is unknown too. WORK(K:) has a known size.
!! - On a process that holds no part of a matrix, its array is ignored.
!!
!! Array descriptors differ between compilers: use the Fortran compiler that the library was built with. (gfortran 12 was
!! tested, no other compiler.)
!!
!! Errors
!! ------
!! INFO is 0, -k if argument k is invalid, -(100 k + e) if entry e of descriptor k is invalid, or one of the codes below.
!! A new plan has the same INFO on all processes of CTXT; a process outside CTXT gets an error of its own. Without INFO,
!! an error prints a line that names the argument, and ends the program.
!!
!! ScaLAPACK has no plans: a program that uses them needs xredist. Module xredist_library has the version of the library
!! and the destination of its messages.
module xredist
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_double_complex, c_float, c_float_complex, c_int, c_int32_t, &
                                         c_int64_t, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  private

  public :: pgemr2d, pigemr2d, psgemr2d, pdgemr2d, pcgemr2d, pzgemr2d
  public :: ptrmr2d, pitrmr2d, pstrmr2d, pdtrmr2d, pctrmr2d, pztrmr2d
  public :: xredist_plan, xredist_plan_from_descriptors, xredist_plan_destroy, xredist_set_context_option
  public :: xredist_operation, xredist_plan_operation_from_descriptors, xredist_set_scalars
  public :: xredist_partition, xredist_plan_partition_from_descriptors
  public :: xredist_array, xredist_request, xredist_execute, xredist_start, xredist_start_batch
  public :: xredist_test, xredist_wait, xredist_test_member, xredist_wait_member
  public :: xredist_no_memory, xredist_bad_option, xredist_disagreement, xredist_peer_failed

  integer, parameter :: int_kind = merge(c_int64_t, c_int, kind(0) == c_int64_t)  ! the default kind, named by C

  type, bind(c) :: xredist_plan
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  !> The operation B := BETA B + ALPHA op(A). All letters are upper case.
  type, bind(c) :: xredist_operation
    character(kind=c_char) :: type_a, type_b      !< 'I', 'S', 'D', 'C' or 'Z'; one type includes all values of the other
    character(kind=c_char) :: trans = 'N'         !< 'T' transpose, 'C' conjugate transpose, 'R' conjugate
    character(kind=c_char) :: uplo = 'A', diag = 'N'
    character(kind=c_char) :: mirror = 'N'        !< 'S', 'H': A is symmetric or Hermitian, and only its triangle UPLO is stored
  end type

  !> The partition of one dimension of a matrix: row (or column) OWNERS(k) of the process grid, from 0, owns the interval
  !! BOUNDS(k) + 1 to BOUNDS(k + 1). BOUNDS(1) is 0, and the last bound is the size of the matrix.
  type, bind(c) :: xredist_partition
    integer(c_int64_t) :: count = 0      !< number of intervals
    type(c_ptr) :: bounds = c_null_ptr   !< C_LOC of COUNT + 1 integers of kind C_INT64_T
    type(c_ptr) :: owners = c_null_ptr   !< C_LOC of COUNT integers of kind C_INT, or C_NULL_PTR: 0, 1, 2 ...
  end type

  !> The local array of a member of a batch: XREDIST_ARRAY(array), or XREDIST_ARRAY() on a process that has none.
  type, bind(c) :: xredist_array
    private
    type(c_ptr) :: address = c_null_ptr
    integer(c_int64_t) :: element_bytes = 0, elements = 0, rows = 0, cols = 0, ld = 0
    integer(c_int32_t) :: shape = 0, type = 0
  end type

  !> An exchange or a batch under way. A request that has no exchange has ended.
  type, bind(c) :: xredist_request
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  !> This process is out of memory; a variable XREDIST_... has an invalid value; processes passed different arguments;
  !! another process is out of memory.
  integer, parameter :: xredist_no_memory = 1, xredist_bad_option = 2, xredist_disagreement = 3, xredist_peer_failed = 4

  interface
    subroutine xredist_plan_from_descriptors(type, uplo, diag, m, n, ia, ja, desca, ib, jb, descb, ctxt, plan, info)
      import :: xredist_plan
      character(len=1), intent(in) :: type, uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      type(xredist_plan), intent(out) :: plan
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_plan_operation_from_descriptors(operation, m, n, ia, ja, desca, ib, jb, descb, ctxt, plan, info)
      import :: xredist_operation, xredist_plan
      type(xredist_operation), intent(in) :: operation
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      type(xredist_plan), intent(out) :: plan
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_plan_partition_from_descriptors(operation, m, n, ia, ja, desca, rows_a, cols_a, &
                                                  ib, jb, descb, rows_b, cols_b, ctxt, plan, info)
      import :: xredist_partition, xredist_operation, xredist_plan
      type(xredist_operation), intent(in) :: operation
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      type(xredist_partition), intent(in), optional :: rows_a, cols_a, rows_b, cols_b
      type(xredist_plan), intent(out) :: plan
      integer, intent(out), optional :: info
    end subroutine
    subroutine xredist_plan_destroy(plan)
      import :: xredist_plan
      type(xredist_plan), intent(inout) :: plan
    end subroutine
    subroutine xredist_set_context_option(ctxt, name, value, info)
      integer, intent(in) :: ctxt
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
  end interface

  interface
    subroutine xredist_execute(plan, a, b, info) bind(c, name='xredist_fortran_execute')
      import :: int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(in) :: a
      type(*), dimension(..), intent(inout) :: b
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine xredist_start(plan, a, b, request, info) bind(c, name='xredist_fortran_start')
      import :: int_kind, xredist_plan, xredist_request
      type(xredist_plan), intent(in) :: plan
      type(*), dimension(..), intent(in), asynchronous :: a
      type(*), dimension(..), intent(inout), asynchronous :: b
      type(xredist_request), intent(out) :: request
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  interface xredist_array
    function array_of(a) bind(c, name='xredist_fortran_array')
      import :: xredist_array
      type(*), dimension(..), intent(in), target, asynchronous :: a
      type(xredist_array) :: array_of
    end function
  end interface

  interface xredist_start_batch
    subroutine start_arrays(count, plans, a, b, request, info) bind(c, name='xredist_fortran_start_batch')
      import :: int_kind, xredist_array, xredist_plan, xredist_request
      integer(int_kind), intent(in) :: count
      type(xredist_plan), intent(in) :: plans(*)
      type(xredist_array), intent(in) :: a(*), b(*)
      type(xredist_request), intent(out) :: request
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine start_addresses(count, plans, a, b, request, info) bind(c, name='xredist_fortran_start_batch_unchecked')
      import :: c_ptr, int_kind, xredist_plan, xredist_request
      integer(int_kind), intent(in) :: count
      type(xredist_plan), intent(in) :: plans(*)
      type(c_ptr), intent(in) :: a(*), b(*)
      type(xredist_request), intent(out) :: request
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  interface xredist_set_scalars
    subroutine set_integer(plan, alpha, beta, info) bind(c, name='xredist_fortran_set_scalars_integer')
      import :: c_int32_t, int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      integer(c_int32_t), intent(in) :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine set_integer64(plan, alpha, beta, info) bind(c, name='xredist_fortran_set_scalars_integer64')
      import :: c_int64_t, int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      integer(c_int64_t), intent(in) :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine set_real(plan, alpha, beta, info) bind(c, name='xredist_fortran_set_scalars_real')
      import :: c_float, int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      real(c_float), intent(in) :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine set_double(plan, alpha, beta, info) bind(c, name='xredist_fortran_set_scalars_double')
      import :: c_double, int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      real(c_double), intent(in) :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine set_complex(plan, alpha, beta, info) bind(c, name='xredist_fortran_set_scalars_complex')
      import :: c_float_complex, int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      complex(c_float_complex), intent(in) :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
    subroutine set_double_complex(plan, alpha, beta, info) bind(c, name='xredist_fortran_set_scalars_double_complex')
      import :: c_double_complex, int_kind, xredist_plan
      type(xredist_plan), intent(in) :: plan
      complex(c_double_complex), intent(in) :: alpha, beta
      integer(int_kind), intent(out), optional :: info
    end subroutine
  end interface

  interface pgemr2d
    subroutine pigemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      integer, intent(in) :: a(*)
      integer, intent(inout) :: b(*)
    end subroutine
    subroutine psgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real32), intent(in) :: a(*)
      real(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pdgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real64), intent(in) :: a(*)
      real(real64), intent(inout) :: b(*)
    end subroutine
    subroutine pcgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real32), intent(in) :: a(*)
      complex(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pzgemr2d(m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real64), intent(in) :: a(*)
      complex(real64), intent(inout) :: b(*)
    end subroutine
  end interface

  interface ptrmr2d
    subroutine pitrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      integer, intent(in) :: a(*)
      integer, intent(inout) :: b(*)
    end subroutine
    subroutine pstrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real32), intent(in) :: a(*)
      real(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pdtrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      real(real64), intent(in) :: a(*)
      real(real64), intent(inout) :: b(*)
    end subroutine
    subroutine pctrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real32
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real32), intent(in) :: a(*)
      complex(real32), intent(inout) :: b(*)
    end subroutine
    subroutine pztrmr2d(uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb, ctxt)
      import :: real64
      character(len=1), intent(in) :: uplo, diag
      integer, intent(in) :: m, n, ia, ja, desca(9), ib, jb, descb(9), ctxt
      complex(real64), intent(in) :: a(*)
      complex(real64), intent(inout) :: b(*)
    end subroutine
  end interface

end module xredist
