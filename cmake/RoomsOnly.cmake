# SPDX-License-Identifier: BSD-3-Clause
# The rooms of src as archives, and the unit tests. Nothing is linked with MPI, so MPI's headers are enough: those of the
# building computer serve a cross compiler whose integers and pointers have the same sizes. GoogleTest is compiled from
# Debian's sources (libgtest-dev).
set(XREDIST_KINDS STATIC)
set(XREDIST_DROP_IN ON)
set(XREDIST_FORTRAN OFF)
set(XREDIST_ILP64 ON)
find_path(XREDIST_MPI_HEADERS mpi.h REQUIRED NO_CMAKE_FIND_ROOT_PATH
  PATHS /usr/lib/${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu PATH_SUFFIXES openmpi/include mpich/include)
mark_as_advanced(XREDIST_MPI_HEADERS)
add_library(MPI::MPI_C INTERFACE IMPORTED)
target_include_directories(MPI::MPI_C SYSTEM INTERFACE ${XREDIST_MPI_HEADERS})
add_subdirectory(src)

include(GoogleTest)
set(flags ${CMAKE_CXX_FLAGS})
set(CMAKE_CXX_FLAGS "")  # its warnings are no errors
add_subdirectory(/usr/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
set(CMAKE_CXX_FLAGS ${flags})
add_library(xredist_allocations OBJECT testing/support/allocations.cpp)
target_include_directories(xredist_allocations PUBLIC testing/support)
add_subdirectory(testing/unit)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*fuzzer")
  add_subdirectory(testing/fuzz)
endif()
