# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE= -DWORK= -DGENERATOR= -DOPTIONS= [-DMESSAGE=regex] -P project.cmake
#
# Configures, builds and tests the project SOURCE in the empty folder WORK. With MESSAGE, CMake must refuse to configure
# the project, with an error that matches. Without debug information and optimisation, the library is built fastest.
# With ccache, several projects that build the library compile equal input once; the cache is beside the folder WORK.
separate_arguments(OPTIONS)
find_program(CCACHE ccache)
if(CCACHE)
  get_filename_component(folder ${WORK} DIRECTORY)
  set(ENV{CCACHE_DIR} ${folder}/ccache)
  set(ENV{CCACHE_NOHASHDIR} 1)
  list(APPEND OPTIONS -DCMAKE_C_COMPILER_LAUNCHER=${CCACHE} -DCMAKE_CXX_COMPILER_LAUNCHER=${CCACHE})
endif()
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=None ${OPTIONS}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(MESSAGE)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result EQUAL 0 OR NOT output MATCHES "${MESSAGE}")
    message(FATAL_ERROR "expected an error with '${MESSAGE}'")
  endif()
  return()
endif()
if(NOT result EQUAL 0)
  message(FATAL_ERROR "not configured")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error WORKING_DIRECTORY ${WORK}
  COMMAND_ERROR_IS_FATAL ANY)
