# How tests start programs under MPI; for every folder that has tests.

# The command that starts n processes, with the options that this MPI needs to run more of them than there are cores.
set(XREDIST_MPIEXEC ${MPIEXEC_EXECUTABLE})
set(XREDIST_MPI_ENVIRONMENT)
if("${MPI_C_LIBRARIES};${MPI_C_INCLUDE_DIRS}" MATCHES "openmpi")
  list(APPEND XREDIST_MPIEXEC --oversubscribe --mca mpi_yield_when_idle 1)
  set(XREDIST_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
endif()

# Programs of others are not instrumented, so the sanitizer's runtime has to be preloaded before the library.
set(XREDIST_PRELOAD $<TARGET_FILE:xredist_scalapack>)
set(XREDIST_SANITIZER)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE XREDIST_SANITIZER OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(PREPEND XREDIST_PRELOAD ${XREDIST_SANITIZER}:)
  list(APPEND XREDIST_MPI_ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)  # MPI leaks; lifetime.cpp looks at ours
endif()

# MPI and BLACS are not instrumented, so ThreadSanitizer does not see their locks; it ignores what only they access.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
  list(APPEND XREDIST_MPI_ENVIRONMENT "TSAN_OPTIONS=ignore_noninstrumented_modules=1 exitcode=66")
endif()
