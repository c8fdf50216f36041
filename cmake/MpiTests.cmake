# SPDX-License-Identifier: BSD-3-Clause
# The launch of MPI programs, for every folder with tests.

# XREDIST_MPIEXEC: the launcher, with the options that this MPI needs to start more processes than there are cores.
# XREDIST_MPI_ENVIRONMENT: variables for every MPI program.
set(XREDIST_MPIEXEC ${MPIEXEC_EXECUTABLE})
set(XREDIST_MPI_ENVIRONMENT OPENBLAS_NUM_THREADS=1)  # there are more processes than cores already
if(XREDIST_MPI_FAMILY STREQUAL "openmpi")
  list(APPEND XREDIST_MPIEXEC --oversubscribe --mca mpi_yield_when_idle 1)
  # OMPI_MCA_pml: the search for fast networks takes half of the time of a launch.
  list(APPEND XREDIST_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1)
  # A launch fails if another launch, which ends, removes the folder of all launches at that moment. So this folder is
  # one that is never empty.
  cmake_host_system_information(RESULT host QUERY HOSTNAME)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/sessions/ompi.${host}.${user}/keep)
  list(APPEND XREDIST_MPI_ENVIRONMENT OMPI_MCA_orte_tmpdir_base=${PROJECT_BINARY_DIR}/sessions)
endif()

# The other MPI of Debian, to test a mixture of two.
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

# XREDIST_COMPLEX_BLAS: whether tests may call BLAS for complex matrices. Kernels of OpenBLAS (zgemv, zhemv) read beyond
# the ends of arrays, where AddressSanitizer's heap may end: xzgsep and xzsep fail then, also without xredist.
set(XREDIST_COMPLEX_BLAS ON)

# XREDIST_PRELOADED: libraries that a test must preload before its own, with a colon at the end. The run-time library of
# a sanitizer must be the first, because other projects' programs are not instrumented.
# XREDIST_NOT_INSTRUMENTED: options for programs that call C and compare many elements: the library is instrumented, and
# these programs would take most of the time.
set(XREDIST_SANITIZER)
set(XREDIST_PRELOADED)
set(XREDIST_NOT_INSTRUMENTED)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE XREDIST_SANITIZER OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(XREDIST_COMPLEX_BLAS OFF)
  set(XREDIST_PRELOADED ${XREDIST_SANITIZER}:)
  set(XREDIST_NOT_INSTRUMENTED -O1 -fno-sanitize=all -DXREDIST_SANITIZED)
  list(APPEND XREDIST_MPI_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)  # MPI leaks; lifetime.cpp checks this library
endif()

# Instrumented programs take three times as long; a limit ends those that hang.
set(XREDIST_SLOWDOWN 1)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(XREDIST_SLOWDOWN 3)
endif()

# Waiting processes leave their cores to others, on loaded machines too.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
  add_library(xredist_yield MODULE ${PROJECT_SOURCE_DIR}/testing/support/yield.c)
  target_compile_definitions(xredist_yield PRIVATE $<$<STREQUAL:${XREDIST_MPI_FAMILY},mpich>:XREDIST_MPICH>)
  target_link_libraries(xredist_yield PRIVATE ${CMAKE_DL_LIBS})
  string(APPEND XREDIST_PRELOADED $<TARGET_FILE:xredist_yield>:)
  list(APPEND XREDIST_MPI_ENVIRONMENT LD_PRELOAD=${XREDIST_PRELOADED})
endif()
set(XREDIST_PRELOAD ${XREDIST_PRELOADED}$<TARGET_FILE:xredist_scalapack>)

# MPI and BLACS are not instrumented: ThreadSanitizer does not see their locks, and must ignore their accesses.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
  list(APPEND XREDIST_MPI_ENVIRONMENT "TSAN_OPTIONS=ignore_noninstrumented_modules=1 exitcode=66")
endif()

# xredist_quick(<regex>): the preset `quick` runs the tests of this folder, defined so far, whose names match.
function(xredist_quick pattern)
  get_property(tests DIRECTORY PROPERTY TESTS)
  list(FILTER tests INCLUDE REGEX "${pattern}")
  set_property(TEST ${tests} APPEND PROPERTY LABELS quick)
endfunction()

# xredist_mpi_test(<name> LABEL <label> PROCESSES <n>... SECONDS <timeout> [ALONE] [LONG] [ENVIRONMENT <NAME=VALUE>...]
#                  COMMAND <program or target> <argument>...)
# Starts the command on n processes. For several n there are as many tests, <name>.np<n>. Processes of small tests mostly
# wait for their launch, so two such tests may run at a time. ALONE: no test runs beside this one. LONG: with the
# configuration Long only.
function(xredist_mpi_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALONE;LONG" "LABEL;SECONDS" "PROCESSES;ENVIRONMENT;COMMAND")
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  set(configurations)
  if(arg_LONG)
    set(configurations CONFIGURATIONS Long)
    list(APPEND arg_LABEL long)
  endif()
  list(LENGTH arg_PROCESSES count)
  math(EXPR seconds "${XREDIST_SLOWDOWN} * ${arg_SECONDS}")
  foreach(processes IN LISTS arg_PROCESSES)
    set(test ${name})
    if(count GREATER 1)
      string(APPEND test .np${processes})
    endif()
    set(processors 1)
    if(arg_ALONE OR processes GREATER 4)
      set(processors 2)
    endif()
    add_test(NAME ${test} ${configurations}
      COMMAND ${XREDIST_MPIEXEC} ${MPIEXEC_NUMPROC_FLAG} ${processes} ${program} ${arg_COMMAND})
    set_tests_properties(${test} PROPERTIES LABELS "${arg_LABEL}" TIMEOUT ${seconds} PROCESSORS ${processors}
      ENVIRONMENT "${XREDIST_MPI_ENVIRONMENT};${arg_ENVIRONMENT}")
  endforeach()
endfunction()
