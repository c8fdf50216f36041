! SPDX-License-Identifier: BSD-3-Clause
!> Tests the module cp_fm_diag_utils for CP2K: a matrix goes to the layout of a solver, and results come back. The
!! "solver" doubles the elements.
program cp2k_test
  use cp_blacs_env, only: cp_blacs_env_create, cp_blacs_env_release, cp_blacs_env_type
  use cp_fm_diag_utils
  use cp_fm_struct, only: cp_fm_struct_create, cp_fm_struct_release, cp_fm_struct_type
  use cp_fm_types, only: cp_fm_create, cp_fm_release, cp_fm_type
  use kinds, only: dp
  use message_passing, only: mp_para_env_type
  use mpi
  implicit none
  type(mp_para_env_type), target :: world
  integer :: error, k

  call mpi_init(error)
  call blacs_pinfo(world%mepos, world%num_pe)
  world%handle = mpi_comm_world
  do k = 1, 20  ! grids and contexts are made and freed each time
    call solve(100, 8, [1, world%num_pe], .false., a=2, x=50, expected=min(2, world%num_pe))
    call solve(100, 100, [1, world%num_pe], .false., a=-1, x=-1, expected=min(3, world%num_pe))
    call solve(300, 32, [1, world%num_pe], .true., a=2, x=50, expected=min(4, world%num_pe))
    call solve(3, 64, [world%num_pe, 1], .true., a=4, x=60, expected=1)
  end do
  if (world%mepos == 0) print '(a)', 'cp2k right'
  call mpi_finalize(error)

contains

  subroutine solve(n, block, shape, elpa, a, x, expected)
    integer, intent(in) :: n, block, shape(2), a, x, expected
    logical, intent(in) :: elpa
    type(cp_blacs_env_type), pointer :: context
    type(cp_fm_struct_type), pointer :: struct
    type(cp_fm_type) :: matrix, eigenvectors, matrix_new, eigenvectors_new
    type(cp_fm_redistribute_info) :: info
    real(dp) :: eig(n)
    integer :: members

    call cp_fm_redistribute_init(a, x, .false., .false.)
    call cp_blacs_env_create(context, world, grid_2d=shape)
    call cp_fm_struct_create(struct, world, context, n, n, block, block, .true.)
    call cp_fm_create(matrix, struct, 'matrix')
    call cp_fm_create(eigenvectors, struct, 'eigenvectors')
    call fill(matrix)
    if (elpa) then
      call cp_fm_redistribute_start(matrix, eigenvectors, matrix_new, eigenvectors_new, caller_is_elpa=.true., &
                                    redist_info=info)
    else
      call cp_fm_redistribute_start(matrix, eigenvectors, matrix_new, eigenvectors_new, redist_info=info)
    end if
    members = merge(1, 0, associated(matrix_new%matrix_struct))
    eig = -1
    if (members == 1) then
      call check(matrix_new, 1.0_dp)
      eigenvectors_new%local_data = 2*matrix_new%local_data
      eig = 7
    end if
    call world%max(members)
    if (members /= 1) error stop 'nobody solves'
    if (info%num_pe_new /= expected) error stop 'another number of processes'
    if (info%redistribute .neqv. .not. associated(matrix_new%matrix_struct, matrix%matrix_struct)) error stop 'info'
    call cp_fm_redistribute_end(matrix, eigenvectors, eig, matrix_new, eigenvectors_new)
    if (any(abs(eig - 7) > 0)) error stop 'eigenvalues'
    call check(eigenvectors, 2.0_dp)
    call check(matrix, 1.0_dp)
    call cp_fm_release(matrix)
    call cp_fm_release(eigenvectors)
    call cp_fm_struct_release(struct)
    call cp_blacs_env_release(context)
  end subroutine solve

  subroutine fill(matrix)
    type(cp_fm_type), intent(inout) :: matrix
    integer :: i, j

    do j = 1, matrix%matrix_struct%local_cols
      do i = 1, matrix%matrix_struct%local_rows
        matrix%local_data(i, j) = element(matrix, i, j)
      end do
    end do
  end subroutine fill

  subroutine check(matrix, factor)
    type(cp_fm_type), intent(in) :: matrix
    real(dp), intent(in) :: factor
    integer :: i, j

    do j = 1, matrix%matrix_struct%local_cols
      do i = 1, matrix%matrix_struct%local_rows
        if (abs(matrix%local_data(i, j) - factor*element(matrix, i, j)) > 0) error stop 'an element'
      end do
    end do
  end subroutine check

  ! Returns the value of the element that a local array has at (i, j).
  real(dp) function element(matrix, i, j)
    type(cp_fm_type), intent(in) :: matrix
    integer, intent(in) :: i, j
    integer :: nprow, npcol, row, col
    integer, external :: indxl2g

    associate (desc => matrix%matrix_struct%descriptor)
      call blacs_gridinfo(desc(2), nprow, npcol, row, col)
      element = 1000*indxl2g(i, desc(5), row, 0, nprow) + indxl2g(j, desc(6), col, 0, npcol)
    end associate
  end function element

end program cp2k_test
