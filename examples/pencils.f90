! SPDX-License-Identifier: BSD-3-Clause
!> A Fourier transform in three dimensions on P1 x P2 processes. Each process transforms its pencils along x, then
!! along y, then along z with FFTW, and two plans move the array in between. In each array, the dimension that is
!! transformed is the first one in memory. The field is a sum of two waves, so all but two coefficients are 0. The
!! program checks all coefficients, and ends with status 1 if one of them is wrong.
!!
!!     mpirun -n 4 ./pencils 64 48 36
module fftw
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
end module fftw

program pencils
  use, intrinsic :: iso_fortran_env, only: real64
  use fftw
  use mpi
  use xredist
  implicit none

  integer, parameter :: waves(3, 2) = reshape([1, 2, 3, 5, 0, 4], [3, 2]), amplitudes(2) = [1, 3]
  real(real64), parameter :: two_pi = 8*atan(1.0_real64)
  type(xredist_array_layout) :: along_x, along_y, along_z
  type(xredist_plan) :: x_to_y, y_to_z
  complex(real64), allocatable :: x(:, :, :), y(:, :, :), z(:, :, :)
  integer :: n(3) = [24, 18, 20], grid(2) = 0, wrong = 0, local(3), rank, processes, error, i, j, k, across(2)
  real(real64) :: difference

  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, processes, error)
  call mpi_dims_create(processes, 2, grid, error)
  across = [rank/grid(2), modulo(rank, grid(2))]  ! this process in the grid
  call read_sizes()

  ! Axes are x, y, z. A layout names the process grid, and the axes from the fastest to the slowest in memory.
  along_x = xredist_array_layout('(*, BLOCK, BLOCK)', grid=[1, grid(1), grid(2)])
  along_y = xredist_array_layout('(BLOCK, *, BLOCK)', grid=[grid(1), 1, grid(2)], order=[2, 1, 3])
  along_z = xredist_array_layout('(BLOCK, BLOCK, *)', grid=[grid(1), grid(2), 1], order=[3, 1, 2])
  call xredist_plan_create(x_to_y, mpi_comm_world, n, along_x, along_y, 'Z')
  call xredist_plan_create(y_to_z, mpi_comm_world, n, along_y, along_z, 'Z')
  call xredist_local_shape(along_x, n, rank, local)
  allocate (x(local(1), local(2), local(3)))
  call xredist_local_shape(along_y, n, rank, local)
  allocate (y(local(2), local(1), local(3)))
  call xredist_local_shape(along_z, n, rank, local)
  allocate (z(local(3), local(1), local(2)))

  do k = 1, size(x, 3)
    do j = 1, size(x, 2)
      x(:, j, k) = [(field([i, first(2, 1) + j, first(3, 2) + k] - 1), i=1, n(1))]
    end do
  end do
  call transform(n(1), size(x), x)
  call xredist_execute(x_to_y, x, y)
  call transform(n(2), size(y), y)
  call xredist_execute(y_to_z, y, z)
  call transform(n(3), size(z), z)

  do j = 1, size(z, 3)
    do i = 1, size(z, 2)
      do k = 1, size(z, 1)
        difference = abs(z(k, i, j) - coefficient([first(1, 1) + i, first(2, 2) + j, k] - 1))
        if (.not. difference < 1e-9*product(real(n))) wrong = wrong + 1  ! also if it is not a number
      end do
    end do
  end do
  call mpi_allreduce(mpi_in_place, wrong, 1, mpi_integer, mpi_sum, mpi_comm_world, error)
  if (rank == 0) print '(5(a, i0), 2a)', 'transform of ', n(1), ' x ', n(2), ' x ', n(3), ' on ', grid(1), ' x ', &
    grid(2), ' processes: ', merge('right', 'wrong', wrong == 0)
  call xredist_plan_destroy(x_to_y)
  call xredist_plan_destroy(y_to_z)
  call mpi_finalize(error)
  if (wrong > 0) error stop 1

contains

  subroutine read_sizes()
    character(len=20) :: argument

    if (command_argument_count() < 3) return
    do i = 1, 3
      call get_command_argument(i, argument)
      read (argument, *) n(i)
    end do
  end subroutine

  !> Returns the number of elements before the block of this process: BLOCK has blocks of ceiling(n / processes)
  !! elements. The axis is distributed over dimension `dimension` of the process grid.
  integer function first(axis, dimension)
    integer, intent(in) :: axis, dimension

    first = across(dimension)*((n(axis) + grid(dimension) - 1)/grid(dimension))
  end function

  !> Returns the field at a point, which counts from 0.
  complex(real64) function field(point)
    integer, intent(in) :: point(3)
    integer :: w

    field = sum([(amplitudes(w)*exp(cmplx(0, two_pi*sum(real(waves(:, w)*point, real64)/n), real64)), w=1, 2)])
  end function

  !> Returns the Fourier coefficient of a wave. Waves that differ by the size of the array are equal.
  real(real64) function coefficient(wave)
    integer, intent(in) :: wave(3)
    integer :: w

    coefficient = product(real(n, real64))*sum(amplitudes, mask=[(all(modulo(wave - waves(:, w), n) == 0), w=1, 2)])
  end function

  !> Transforms all columns of an array with `length` rows.
  subroutine transform(length, elements, array)
    integer, intent(in) :: length, elements
    complex(c_double_complex), intent(inout) :: array(*)
    complex(c_double_complex), allocatable :: transformed(:)
    type(c_ptr) :: plan

    if (elements == 0) return
    allocate (transformed(elements))
    plan = fftw_plan_many_dft(1, [length], elements/length, array, [length], 1, length, transformed, [length], 1, &
                              length, FFTW_FORWARD, FFTW_ESTIMATE)
    call fftw_execute_dft(plan, array, transformed)
    array(:elements) = transformed
    call fftw_destroy_plan(plan)
  end subroutine

end program pencils
