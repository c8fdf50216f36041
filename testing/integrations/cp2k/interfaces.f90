! SPDX-License-Identifier: BSD-3-Clause
!> The parts of CP2K's modules that examples/integrations/cp_fm_diag_utils.F uses, so that the module runs without
!! CP2K.
module kinds
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: dp = real64
end module kinds

module message_passing
  use mpi
  implicit none
  private
  public :: mp_comm_type, mp_para_env_type

  type :: mp_comm_type
    integer :: handle = mpi_comm_null
  end type mp_comm_type

  type, extends(mp_comm_type) :: mp_para_env_type
    integer :: mepos = -1, num_pe = -1
  contains
    procedure, pass(sub_comm) :: from_split
    procedure :: free
    procedure :: max => maximum
  end type mp_para_env_type

contains

  subroutine from_split(comm, sub_comm, color, key)
    class(mp_comm_type), intent(in) :: comm
    class(mp_para_env_type), intent(out) :: sub_comm
    integer, intent(in) :: color
    integer, intent(in), optional :: key
    integer :: error, my_key

    my_key = 0
    if (present(key)) my_key = key
    call mpi_comm_split(comm%handle, color, my_key, sub_comm%handle, error)
    call mpi_comm_rank(sub_comm%handle, sub_comm%mepos, error)
    call mpi_comm_size(sub_comm%handle, sub_comm%num_pe, error)
  end subroutine from_split

  subroutine free(self)
    class(mp_para_env_type), intent(inout) :: self
    integer :: error

    call mpi_comm_free(self%handle, error)
  end subroutine free

  subroutine maximum(self, msg)
    class(mp_para_env_type), intent(in) :: self
    integer, intent(inout) :: msg
    integer :: all, error

    call mpi_allreduce(msg, all, 1, mpi_integer, mpi_max, self%handle, error)
    msg = all
  end subroutine maximum

end module message_passing

module cp_log_handling
  implicit none
  private
  public :: cp_logger_type, cp_get_default_logger, cp_logger_get_default_io_unit

  type :: cp_logger_type
    integer :: unit = 6
  end type cp_logger_type
  type(cp_logger_type), target, save :: default_logger

contains

  function cp_get_default_logger() result(logger)
    type(cp_logger_type), pointer :: logger

    logger => default_logger
  end function cp_get_default_logger

  integer function cp_logger_get_default_io_unit(logger)
    type(cp_logger_type), optional, pointer :: logger

    cp_logger_get_default_io_unit = -1
    if (present(logger)) cp_logger_get_default_io_unit = logger%unit
  end function cp_logger_get_default_io_unit

end module cp_log_handling

module cp_blacs_env
  use message_passing, only: mp_para_env_type
  implicit none
  private
  public :: cp_blacs_env_type, cp_blacs_env_create, cp_blacs_env_release

  type :: cp_blacs_env_type
    integer :: handle = -1
  contains
    procedure :: get_handle
  end type cp_blacs_env_type

contains

  elemental integer function get_handle(this)
    class(cp_blacs_env_type), intent(in) :: this

    get_handle = this%handle
  end function get_handle

  subroutine cp_blacs_env_create(blacs_env, para_env, blacs_grid_layout, blacs_repeatable, row_major, grid_2d)
    type(cp_blacs_env_type), intent(out), pointer :: blacs_env
    type(mp_para_env_type), intent(inout), target :: para_env
    integer, intent(in), optional :: blacs_grid_layout
    logical, intent(in), optional :: blacs_repeatable, row_major
    integer, intent(in), optional :: grid_2d(:)

    if (present(blacs_grid_layout) .or. present(blacs_repeatable) .or. present(row_major)) error stop 'not supported'
    if (.not. present(grid_2d)) error stop 'no grid'
    if (product(grid_2d) /= para_env%num_pe) error stop 'another number of processes'
    allocate (blacs_env)
    blacs_env%handle = para_env%handle
    call blacs_gridinit(blacs_env%handle, 'Row-major', grid_2d(1), grid_2d(2))
  end subroutine cp_blacs_env_create

  subroutine cp_blacs_env_release(blacs_env)
    type(cp_blacs_env_type), pointer :: blacs_env

    call blacs_gridexit(blacs_env%handle)
    deallocate (blacs_env)
  end subroutine cp_blacs_env_release

end module cp_blacs_env

module cp_fm_struct
  use cp_blacs_env, only: cp_blacs_env_type
  use message_passing, only: mp_para_env_type
  implicit none
  private
  public :: cp_fm_struct_type, cp_fm_struct_create, cp_fm_struct_release

  type :: cp_fm_struct_type
    type(mp_para_env_type), pointer :: para_env => null()
    type(cp_blacs_env_type), pointer :: context => null()
    integer :: descriptor(9) = -1, nrow_global = -1, ncol_global = -1, local_rows = 0, local_cols = 0, ref_count = 1
  end type cp_fm_struct_type

contains

  subroutine cp_fm_struct_create(fmstruct, para_env, context, nrow_global, ncol_global, nrow_block, ncol_block, force_block)
    type(cp_fm_struct_type), pointer :: fmstruct
    type(mp_para_env_type), target :: para_env
    type(cp_blacs_env_type), target :: context
    integer, intent(in) :: nrow_global, ncol_global, nrow_block, ncol_block
    logical, intent(in) :: force_block
    integer :: nprow, npcol, row, col, info
    integer, external :: numroc

    if (.not. force_block) error stop 'CP2K would choose blocks'
    allocate (fmstruct)
    fmstruct%para_env => para_env
    fmstruct%context => context
    fmstruct%nrow_global = nrow_global
    fmstruct%ncol_global = ncol_global
    call blacs_gridinfo(context%handle, nprow, npcol, row, col)
    fmstruct%local_rows = numroc(nrow_global, nrow_block, row, 0, nprow)
    fmstruct%local_cols = numroc(ncol_global, ncol_block, col, 0, npcol)
    call descinit(fmstruct%descriptor, nrow_global, ncol_global, nrow_block, ncol_block, 0, 0, context%handle, &
                  max(1, fmstruct%local_rows), info)
    if (info /= 0) error stop 'descinit'
  end subroutine cp_fm_struct_create

  subroutine cp_fm_struct_release(fmstruct)
    type(cp_fm_struct_type), pointer :: fmstruct

    fmstruct%ref_count = fmstruct%ref_count - 1
    if (fmstruct%ref_count == 0) deallocate (fmstruct)
    nullify (fmstruct)
  end subroutine cp_fm_struct_release

end module cp_fm_struct

module cp_fm_types
  use cp_fm_struct, only: cp_fm_struct_release, cp_fm_struct_type
  use kinds, only: dp
  implicit none
  private
  public :: cp_fm_type, cp_fm_create, cp_fm_release

  type :: cp_fm_type
    character(len=60) :: name = ''
    type(cp_fm_struct_type), pointer :: matrix_struct => null()
    real(dp), pointer, contiguous :: local_data(:, :) => null()
  end type cp_fm_type

contains

  subroutine cp_fm_create(matrix, matrix_struct, name)
    type(cp_fm_type), intent(out) :: matrix
    type(cp_fm_struct_type), intent(inout), target :: matrix_struct
    character(len=*), intent(in) :: name

    matrix%name = name
    matrix%matrix_struct => matrix_struct
    matrix_struct%ref_count = matrix_struct%ref_count + 1
    allocate (matrix%local_data(max(1, matrix_struct%local_rows), max(1, matrix_struct%local_cols)))
  end subroutine cp_fm_create

  subroutine cp_fm_release(matrix)
    type(cp_fm_type), intent(inout) :: matrix

    deallocate (matrix%local_data)
    call cp_fm_struct_release(matrix%matrix_struct)
  end subroutine cp_fm_release

end module cp_fm_types
