# SPDX-License-Identifier: BSD-3-Clause
# Finds MKL's ScaLAPACK with the BLACS for the MPI that FindMPI found.
include(${CMAKE_CURRENT_LIST_DIR}/XredistMpi.cmake)

# Sets the shared libraries in the order of linking, and the one that has the BLACS. Both are empty if a library is
# missing. `vendor` is one of FindBLAS's names: Intel10_64[i]lp[_seq]. The folder may be given by MKLROOT.
#
# MKL's libraries do not name each other, so all of them stay in the program (--no-as-needed).
function(xredist_find_mkl vendor libraries blacs)
  set(integers lp64)
  if(vendor MATCHES "ilp")
    set(integers ilp64)
  endif()
  xredist_mpi_family(family)
  set(blacs_name mkl_blacs_intelmpi_${integers})  # also MPICH's
  if(family STREQUAL "openmpi")
    set(blacs_name mkl_blacs_openmpi_${integers})
  endif()
  set(interface gf)
  set(threads gnu_thread)
  set(runtime gomp)
  if(CMAKE_C_COMPILER_ID MATCHES "Intel")
    set(interface intel)
    set(threads intel_thread)
    set(runtime iomp5)
  endif()
  if(vendor MATCHES "_seq$")
    set(threads sequential)
    set(runtime)
  endif()
  set(files)
  set(${libraries} "" PARENT_SCOPE)
  set(${blacs} "" PARENT_SCOPE)
  foreach(name IN ITEMS mkl_scalapack_${integers} mkl_${interface}_${integers} mkl_${threads} mkl_core ${blacs_name})
    find_library(XREDIST_${name} NAMES ${name} HINTS ENV MKLROOT PATH_SUFFIXES lib lib/intel64 DOC "A part of MKL")
    mark_as_advanced(XREDIST_${name})
    if(NOT XREDIST_${name})
      return()
    endif()
    list(APPEND files ${XREDIST_${name}})
  endforeach()
  set(${blacs} ${XREDIST_${blacs_name}} PARENT_SCOPE)
  set(${libraries} -Wl,--push-state,--no-as-needed ${files} ${runtime} pthread m dl -Wl,--pop-state PARENT_SCOPE)
endfunction()
