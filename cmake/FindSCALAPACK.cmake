# SPDX-License-Identifier: BSD-3-Clause
# Finds ScaLAPACK with its BLACS, built for the MPI that FindMPI found. Call find_package(MPI) first.
#
# Variables that the user may set:
#   SCALAPACK_LIBRARY  a library, or a list of libraries in the order of linking; ScaLAPACK itself is the first
#   BLA_VENDOR         one of FindBLAS's names for MKL, for instance Intel10_64lp (threaded), Intel10_64lp_seq or
#                      Intel10_64ilp_seq: MKL's ScaLAPACK. Otherwise MKL is used only if no other ScaLAPACK is found.
#   BLA_STATIC         true: MKL's archives
#
# Defines the target SCALAPACK::SCALAPACK and
#   SCALAPACK_FOUND
#   SCALAPACK_LIBRARIES      all libraries, without MPI; LAPACK and BLAS only if programs do not link without them (an
#                            archive, MKL). A shared ScaLAPACK names the BLAS that it needs; a second one on the link line
#                            could replace the BLAS that the program has chosen.
#   SCALAPACK_BLACS_LIBRARY  the library that has the BLACS
#
# Distributions name the library after the MPI (libscalapack-openmpi.so) or place it beside the MPI. Debian's own CMake
# package is not used, because it names files that do not exist.
include(${CMAKE_CURRENT_LIST_DIR}/XredistMpi.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/XredistMkl.cmake)
include(CheckCSourceCompiles)

xredist_mpi_family(_scalapack_mpi)
list(GET MPI_C_LIBRARIES 0 _scalapack_mpi_library)
get_filename_component(_scalapack_mpi_folder "${_scalapack_mpi_library}" DIRECTORY)
set(_scalapack_message "looked for libscalapack-${_scalapack_mpi}, libscalapack, and MKL's libmkl_scalapack_lp64")

# Sets whether a program that calls `routine` and BLACS links with `libraries`.
function(_scalapack_has routine libraries variable)
  set(CMAKE_REQUIRED_LIBRARIES ${libraries} MPI::MPI_C)
  set(CMAKE_REQUIRED_QUIET ON)
  string(MD5 which "${libraries};${routine}")
  check_c_source_compiles("void ${routine}(void);\nvoid Cblacs_gridinfo(void);\n
    int main(void) { ${routine}(); Cblacs_gridinfo(); return 0; }\n" XREDIST_SCALAPACK_HAS_${which})
  set(${variable} ${XREDIST_SCALAPACK_HAS_${which}} PARENT_SCOPE)
endfunction()

# Sets whether the libraries are all that a program needs. ScaLAPACK may have been built without some precisions.
function(_scalapack_links libraries variable)
  foreach(letter IN ITEMS d s z c)
    _scalapack_has(p${letter}gesv_ "${libraries}" found)
    if(found)
      break()
    endif()
  endforeach()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# Lists the precisions (s, d, c, z) that the ScaLAPACK that was found lacks.
function(scalapack_lacks variable)
  set(lacking)
  foreach(letter IN ITEMS s d c z)
    _scalapack_has(p${letter}gesv_ "${SCALAPACK_LIBRARIES}" found)
    if(NOT found)
      list(APPEND lacking ${letter})
    endif()
  endforeach()
  set(${variable} "${lacking}" PARENT_SCOPE)
endfunction()

set(SCALAPACK_LIBRARIES)
set(SCALAPACK_BLACS_LIBRARY)
if(NOT SCALAPACK_LIBRARY AND BLA_VENDOR MATCHES "^Intel10_64")
  xredist_find_mkl(${BLA_VENDOR} SCALAPACK_LIBRARIES SCALAPACK_BLACS_LIBRARY)
  set(_scalapack_message "looked for MKL's ScaLAPACK for this MPI, as BLA_VENDOR=${BLA_VENDOR} demands")
else()
  find_library(SCALAPACK_LIBRARY NAMES scalapack-${_scalapack_mpi} scalapack NAMES_PER_DIR
               HINTS ENV SCALAPACK_ROOT ${_scalapack_mpi_folder} PATH_SUFFIXES lib
               DOC "ScaLAPACK, with BLACS inside or a list")
  mark_as_advanced(SCALAPACK_LIBRARY)
  if(SCALAPACK_LIBRARY)
    set(SCALAPACK_LIBRARIES ${SCALAPACK_LIBRARY})
  else()
    xredist_find_mkl(Intel10_64lp_seq SCALAPACK_LIBRARIES SCALAPACK_BLACS_LIBRARY)
  endif()
endif()

# A library of the same name may be another MPI's.
set(_scalapack_fits TRUE)
if(SCALAPACK_LIBRARIES AND NOT SCALAPACK_BLACS_LIBRARY)
  list(GET SCALAPACK_LIBRARIES 0 _scalapack_itself)
  xredist_needed_mpi(NEEDED "${_scalapack_itself}" _scalapack_needs)
  xredist_needed_mpi(SONAME "${_scalapack_mpi_library}" _scalapack_has)
  if(_scalapack_needs AND _scalapack_has AND NOT _scalapack_has IN_LIST _scalapack_needs)
    set(_scalapack_fits FALSE)
    string(CONCAT _scalapack_message "two MPIs are mixed: ${_scalapack_itself} needs ${_scalapack_needs}, "
      "but the MPI found is ${_scalapack_has} (${_scalapack_mpi_library}). "
      "Set SCALAPACK_LIBRARY, or choose the MPI by MPI_C_COMPILER")
  endif()
endif()

# The library may be the first of several: BLACS in a library of its own, LAPACK and BLAS behind an archive.
if(SCALAPACK_LIBRARIES AND _scalapack_fits AND NOT SCALAPACK_BLACS_LIBRARY)
  set(SCALAPACK_BLACS_LIBRARY ${_scalapack_itself})
  _scalapack_links("${SCALAPACK_LIBRARIES}" _scalapack_complete)
  if(NOT _scalapack_complete)
    find_package(LAPACK QUIET)
    set(_scalapack_with_lapack ${SCALAPACK_LIBRARIES} LAPACK::LAPACK)
    find_library(SCALAPACK_SEPARATE_BLACS NAMES blacs-${_scalapack_mpi} blacs NAMES_PER_DIR
                 HINTS ENV SCALAPACK_ROOT ${_scalapack_mpi_folder} PATH_SUFFIXES lib DOC "BLACS outside of ScaLAPACK")
    mark_as_advanced(SCALAPACK_SEPARATE_BLACS)
    _scalapack_links("${_scalapack_with_lapack}" _scalapack_complete)
    if(_scalapack_complete OR NOT SCALAPACK_SEPARATE_BLACS)
      set(SCALAPACK_LIBRARIES ${_scalapack_with_lapack})
    else()
      set(SCALAPACK_BLACS_LIBRARY ${SCALAPACK_SEPARATE_BLACS})
      list(APPEND SCALAPACK_LIBRARIES ${SCALAPACK_SEPARATE_BLACS})
      _scalapack_links("${SCALAPACK_LIBRARIES}" _scalapack_complete)
      if(NOT _scalapack_complete)
        list(APPEND SCALAPACK_LIBRARIES LAPACK::LAPACK)
      endif()
    endif()
  endif()
endif()

# The linker takes from an archive only what is asked for, and a shared library that finds BLACS in its program does not
# ask.
if(SCALAPACK_BLACS_LIBRARY MATCHES "[.]a$" AND NOT APPLE)
  list(PREPEND SCALAPACK_LIBRARIES
    -Wl,-u,Cblacs_gridinfo,-u,Cblacs_abort,-u,blacs_get_,-u,blacs_gridmap_,-u,blacs_gridexit_)
endif()

include(FindPackageHandleStandardArgs)
set(_scalapack_required SCALAPACK_BLACS_LIBRARY SCALAPACK_LIBRARIES _scalapack_fits)
if("LAPACK::LAPACK" IN_LIST SCALAPACK_LIBRARIES)
  list(APPEND _scalapack_required LAPACK_FOUND)
endif()
find_package_handle_standard_args(SCALAPACK REQUIRED_VARS ${_scalapack_required}
                                  REASON_FAILURE_MESSAGE "${_scalapack_message}")

if(SCALAPACK_FOUND AND NOT TARGET SCALAPACK::SCALAPACK)
  add_library(SCALAPACK::SCALAPACK INTERFACE IMPORTED)
  set_target_properties(SCALAPACK::SCALAPACK PROPERTIES
    INTERFACE_LINK_LIBRARIES "${SCALAPACK_LIBRARIES};MPI::MPI_C")
endif()
