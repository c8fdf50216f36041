# Finds ScaLAPACK with its BLACS, built for the MPI that FindMPI found.
#
# Defines the target SCALAPACK::SCALAPACK (with LAPACK and BLAS) and SCALAPACK_FOUND. Set
# SCALAPACK_LIBRARY to name the library yourself. Call find_package(MPI) first.
#
# Distributions name the library after the MPI (libscalapack-openmpi.so); Debian's own CMake config
# of it names files that do not exist, so it is not used.

set(_scalapack_names scalapack)
if("${MPI_C_LIBRARIES};${MPI_C_INCLUDE_DIRS}" MATCHES "openmpi")
  list(PREPEND _scalapack_names scalapack-openmpi)
elseif("${MPI_C_LIBRARIES};${MPI_C_INCLUDE_DIRS}" MATCHES "mpich")
  list(PREPEND _scalapack_names scalapack-mpich)
endif()

find_library(SCALAPACK_LIBRARY NAMES ${_scalapack_names} HINTS ENV SCALAPACK_ROOT PATH_SUFFIXES lib
             DOC "ScaLAPACK, with BLACS inside")

find_package(LAPACK QUIET)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SCALAPACK REQUIRED_VARS SCALAPACK_LIBRARY LAPACK_FOUND)

if(SCALAPACK_FOUND AND NOT TARGET SCALAPACK::SCALAPACK)
  add_library(SCALAPACK::SCALAPACK UNKNOWN IMPORTED)
  set_target_properties(SCALAPACK::SCALAPACK PROPERTIES
    IMPORTED_LOCATION "${SCALAPACK_LIBRARY}"
    INTERFACE_LINK_LIBRARIES "LAPACK::LAPACK;MPI::MPI_C")
endif()
mark_as_advanced(SCALAPACK_LIBRARY)
