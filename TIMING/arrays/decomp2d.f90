! SPDX-License-Identifier: BSD-3-Clause
! The transposes of 2DECOMP&FFT for C++. Its module keeps one decomposition at a time.
module decomp2d_for_cpp
   use, intrinsic :: iso_c_binding
   use decomp_2d
   use decomp_2d_constants, only: mytype
   implicit none
   private
   integer :: x(3), y(3), z(3)

contains

   ! Collective. Divides an array of n(1) x n(2) x n(3) elements over rows x columns processes.
   subroutine arrays_decomp2d_start(n, rows, columns, complex_elements) bind(c)
      integer(c_int), intent(in) :: n(3)
      integer(c_int), value :: rows, columns, complex_elements
      call decomp_2d_init(n(1), n(2), n(3), rows, columns, complex_pool=complex_elements /= 0)
      x = xsize
      y = ysize
      z = zsize
   end subroutine

   subroutine arrays_decomp2d_stop() bind(c)
      call decomp_2d_finalize()
   end subroutine

   ! Moves x-pencils to y-pencils, or y-pencils to z-pencils.
   subroutine arrays_decomp2d_real(from_y, a, b) bind(c)
      integer(c_int), value :: from_y
      type(c_ptr), value :: a, b
      real(mytype), pointer :: source(:, :, :), target(:, :, :)
      call c_f_pointer(a, source, merge(y, x, from_y /= 0))
      call c_f_pointer(b, target, merge(z, y, from_y /= 0))
      if (from_y /= 0) then
         call transpose_y_to_z(source, target)
      else
         call transpose_x_to_y(source, target)
      end if
   end subroutine

   subroutine arrays_decomp2d_complex(from_y, a, b) bind(c)
      integer(c_int), value :: from_y
      type(c_ptr), value :: a, b
      complex(mytype), pointer :: source(:, :, :), target(:, :, :)
      call c_f_pointer(a, source, merge(y, x, from_y /= 0))
      call c_f_pointer(b, target, merge(z, y, from_y /= 0))
      if (from_y /= 0) then
         call transpose_y_to_z(source, target)
      else
         call transpose_x_to_y(source, target)
      end if
   end subroutine
end module
