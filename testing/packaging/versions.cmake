# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFILE= -DVERSION= -P versions.cmake
#
# Asks the version file of the CMake package which versions a project may demand: before 1.0 those with the same minor
# version, later those with the same major version.
string(REGEX MATCH "([0-9]+)[.]([0-9]+)" version ${VERSION})
set(major ${CMAKE_MATCH_1})
set(minor ${CMAKE_MATCH_2})
math(EXPR next_major "${major} + 1")
math(EXPR next_minor "${minor} + 1")

# demand(<version> <whether the package fits>)
function(demand version fits)
  string(REGEX MATCHALL "[0-9]+" parts ${version})
  list(LENGTH parts PACKAGE_FIND_VERSION_COUNT)
  list(APPEND parts 0 0)
  list(POP_FRONT parts PACKAGE_FIND_VERSION_MAJOR PACKAGE_FIND_VERSION_MINOR PACKAGE_FIND_VERSION_PATCH)
  set(PACKAGE_FIND_VERSION ${version})
  include(${FILE})
  if((PACKAGE_VERSION_COMPATIBLE AND NOT fits) OR (fits AND NOT PACKAGE_VERSION_COMPATIBLE))
    message(SEND_ERROR "${version} is demanded, the package has ${VERSION}: expected ${fits}")
  endif()
endfunction()
demand(${major}.${minor} TRUE)
demand(${VERSION} TRUE)
demand(${major}.${next_minor} FALSE)
demand(${next_major}.0 FALSE)
if(major EQUAL 0 AND minor GREATER 0)
  demand(0.0 FALSE)
endif()
