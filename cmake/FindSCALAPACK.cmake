# SPDX-License-Identifier: BSD-3-Clause
# Finds ScaLAPACK with its BLACS, built for the MPI that FindMPI found.
#
# Defines the target SCALAPACK::SCALAPACK and SCALAPACK_FOUND. Set SCALAPACK_LIBRARY to name the library yourself. Call
# find_package(MPI) first.
#
# The target includes LAPACK and BLAS only if programs do not link without them (an archive). A shared ScaLAPACK names
# the BLAS that it needs; a second one on the link line could replace the BLAS that the program has chosen.
#
# Distributions name the library after the MPI (libscalapack-openmpi.so) or place it beside the MPI. Debian's own CMake
# package is not used, because it names files that do not exist.
include(${CMAKE_CURRENT_LIST_DIR}/XredistMpi.cmake)
include(CheckCSourceCompiles)

xredist_mpi_family(_scalapack_mpi)
list(GET MPI_C_LIBRARIES 0 _scalapack_mpi_library)
get_filename_component(_scalapack_mpi_folder "${_scalapack_mpi_library}" DIRECTORY)
find_library(SCALAPACK_LIBRARY NAMES scalapack-${_scalapack_mpi} scalapack
             HINTS ENV SCALAPACK_ROOT ${_scalapack_mpi_folder} PATH_SUFFIXES lib
             DOC "ScaLAPACK, with BLACS inside")

find_package(LAPACK QUIET)

# A library of the same name may be another MPI's.
set(_scalapack_message "looked for libscalapack-${_scalapack_mpi} and libscalapack")
set(_scalapack_fits TRUE)
if(SCALAPACK_LIBRARY)
  xredist_needed_mpi(NEEDED "${SCALAPACK_LIBRARY}" _scalapack_needs)
  xredist_needed_mpi(SONAME "${_scalapack_mpi_library}" _scalapack_has)
  if(_scalapack_needs AND _scalapack_has AND NOT _scalapack_has IN_LIST _scalapack_needs)
    set(_scalapack_fits FALSE)
    string(CONCAT _scalapack_message "two MPIs are mixed: ${SCALAPACK_LIBRARY} needs ${_scalapack_needs}, "
      "but the MPI found is ${_scalapack_has} (${_scalapack_mpi_library}). "
      "Set SCALAPACK_LIBRARY, or choose the MPI by MPI_C_COMPILER")
  endif()
endif()

set(_scalapack_blas)
if(SCALAPACK_LIBRARY AND _scalapack_fits)
  string(MD5 _scalapack_which "${SCALAPACK_LIBRARY}")
  set(CMAKE_REQUIRED_LIBRARIES "${SCALAPACK_LIBRARY}" MPI::MPI_C)
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("void pdgesv_(void);\nint main(void) { pdgesv_(); return 0; }\n"
    XREDIST_SCALAPACK_LINKS_ALONE_${_scalapack_which})
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_QUIET)
  if(NOT XREDIST_SCALAPACK_LINKS_ALONE_${_scalapack_which})
    set(_scalapack_blas LAPACK::LAPACK)
  endif()
endif()

include(FindPackageHandleStandardArgs)
set(_scalapack_required SCALAPACK_LIBRARY _scalapack_fits)
if(_scalapack_blas)
  list(APPEND _scalapack_required LAPACK_FOUND)
endif()
find_package_handle_standard_args(SCALAPACK REQUIRED_VARS ${_scalapack_required}
                                  REASON_FAILURE_MESSAGE "${_scalapack_message}")

if(SCALAPACK_FOUND AND NOT TARGET SCALAPACK::SCALAPACK)
  add_library(SCALAPACK::SCALAPACK UNKNOWN IMPORTED)
  set_target_properties(SCALAPACK::SCALAPACK PROPERTIES
    IMPORTED_LOCATION "${SCALAPACK_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "${_scalapack_blas};MPI::MPI_C")
endif()
mark_as_advanced(SCALAPACK_LIBRARY)
