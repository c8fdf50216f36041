# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFOLDER= -DREADELF= -P needed.cmake
#
# No shared library of FOLDER needs a ScaLAPACK, BLACS, LAPACK or BLAS, which would take the place of the program's own.
cmake_minimum_required(VERSION 3.21)
file(GLOB libraries ${FOLDER}/libxredist*.so)
list(LENGTH libraries count)
if(count LESS 5)
  message(FATAL_ERROR "found ${count} libraries in ${FOLDER}, expected at least 5")
endif()
foreach(library IN LISTS libraries)
  execute_process(COMMAND ${READELF} -d ${library} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "[" "<" text "${text}")  # an open bracket would join the elements of a list
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*<[^]\n]*" needed "${text}")
  list(TRANSFORM needed REPLACE ".*<" "")
  if(NOT "libc.so.6" IN_LIST needed)
    message(FATAL_ERROR "${library}: cannot read what it needs: ${needed}")
  endif()
  list(FILTER needed EXCLUDE REGEX "^libxredist_")
  list(FILTER needed INCLUDE REGEX "scalapack|blacs|blas|lapack|mkl|blis|flame|atlas|armpl|nvpl|gfortran")
  if(needed)
    message(SEND_ERROR "${library} needs ${needed}")
  endif()
endforeach()
