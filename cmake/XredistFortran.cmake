# SPDX-License-Identifier: BSD-3-Clause
# Defines xredist::fortran, the modules. Module files differ between compilers, so each project compiles the sources. A
# program that links the target itself gets its objects, too: xredist_solvers and xredist_files contain procedures.
function(xredist_add_fortran folder)
  if(TARGET xredist::fortran)
    return()
  endif()
  set(modules ${CMAKE_CURRENT_BINARY_DIR}/xredist_modules)
  add_library(xredist_fortran OBJECT EXCLUDE_FROM_ALL
    ${folder}/xredist.f90 ${folder}/xredist_library.f90 ${folder}/xredist_mapping.f90 ${folder}/xredist_solvers.f90
    ${folder}/xredist_files.f90)
  add_library(xredist::fortran ALIAS xredist_fortran)
  set_target_properties(xredist_fortran PROPERTIES Fortran_MODULE_DIRECTORY ${modules})
  target_include_directories(xredist_fortran PUBLIC $<BUILD_INTERFACE:${modules}>)
endfunction()

# Compiles sources of the caller's folder again whenever the modules change. CMake 3.25 forgets the modules of an object
# library that a target links.
function(xredist_use_modules)
  get_target_property(modules xredist_fortran SOURCES)
  set_source_files_properties(${ARGN} PROPERTIES OBJECT_DEPENDS "${modules}")
endfunction()
