# SPDX-License-Identifier: BSD-3-Clause
# Starts programs under MPI, for every folder with tests.

# The command that starts processes, with the options of this MPI for more processes than cores.
set(XREDIST_MPIEXEC ${MPIEXEC_EXECUTABLE})
set(XREDIST_MPI_ENVIRONMENT OPENBLAS_NUM_THREADS=1)  # processes outnumber cores already
if(XREDIST_MPI_FAMILY STREQUAL "openmpi")
  list(APPEND XREDIST_MPIEXEC --oversubscribe --mca mpi_yield_when_idle 1)
  # Searching for fast networks would take half of the time of a launch.
  list(APPEND XREDIST_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1)
endif()

# Debian's other MPI, to test mixtures of two.
set(XREDIST_OTHER_MPI mpich)
if(XREDIST_MPI_FAMILY STREQUAL "mpich")
  set(XREDIST_OTHER_MPI openmpi)
  list(APPEND XREDIST_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
endif()
find_program(XREDIST_OTHER_MPICC mpicc.${XREDIST_OTHER_MPI})
find_program(XREDIST_OTHER_MPIEXEC mpiexec.${XREDIST_OTHER_MPI})
find_library(XREDIST_OTHER_SCALAPACK scalapack-${XREDIST_OTHER_MPI})
if(NOT XREDIST_OTHER_MPICC OR NOT XREDIST_OTHER_MPIEXEC OR NOT XREDIST_OTHER_SCALAPACK)
  set(XREDIST_OTHER_MPI "")
  message(STATUS "A second MPI with its ScaLAPACK is not installed: a mixture of two is not tested "
    "(Debian: mpich, libmpich-dev, libscalapack-mpich-dev)")
endif()
mark_as_advanced(XREDIST_OTHER_MPICC XREDIST_OTHER_MPIEXEC XREDIST_OTHER_SCALAPACK)

# XREDIST_COMPLEX_BLAS: tests may call BLAS for complex matrices. OpenBLAS's kernels (zgemv, zhemv) read beyond the ends of
# arrays, where AddressSanitizer's heap may end: then xzgsep and xzsep fail even without the library.
set(XREDIST_COMPLEX_BLAS ON)

# XREDIST_PRELOADED: libraries that a test has to preload before its own, with a trailing colon. The runtime of the
# sanitizer comes first, because programs of others are not instrumented.
set(XREDIST_SANITIZER)
set(XREDIST_PRELOADED)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE XREDIST_SANITIZER OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(XREDIST_COMPLEX_BLAS OFF)
  set(XREDIST_PRELOADED ${XREDIST_SANITIZER}:)
  list(APPEND XREDIST_MPI_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)  # MPI leaks; lifetime.cpp looks at ours
endif()

if(XREDIST_MPI_FAMILY STREQUAL "mpich" AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT XREDIST_SANITIZER)
  add_library(xredist_yield MODULE ${PROJECT_SOURCE_DIR}/testing/yield.c)
  target_link_libraries(xredist_yield PRIVATE ${CMAKE_DL_LIBS})
  set(XREDIST_PRELOADED $<TARGET_FILE:xredist_yield>:)
  list(APPEND XREDIST_MPI_ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:xredist_yield>)
endif()
set(XREDIST_PRELOAD ${XREDIST_PRELOADED}$<TARGET_FILE:xredist_scalapack>)

# MPI and BLACS are not instrumented: ThreadSanitizer does not see their locks, and ignores memory that only they access.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
  list(APPEND XREDIST_MPI_ENVIRONMENT "TSAN_OPTIONS=ignore_noninstrumented_modules=1 exitcode=66")
endif()
