# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE= -DWORK= -DGENERATOR= -DOPTIONS= [-DMESSAGE=regex] [-DCOMPILES=file of SOURCE] -P configured.cmake
#
# Configures the project SOURCE in the empty folder WORK. CMake must print the message, and compile the file.
separate_arguments(OPTIONS)
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK} -G ${GENERATOR} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
  -DXREDIST_UNITY=OFF ${OPTIONS}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
message("${output}")
if(NOT result EQUAL 0)
  message(FATAL_ERROR "not configured")
endif()
if(MESSAGE AND NOT output MATCHES "${MESSAGE}")
  message(FATAL_ERROR "CMake did not print '${MESSAGE}'")
endif()
if(COMPILES)
  file(READ ${WORK}/compile_commands.json commands)
  string(FIND "${commands}" "${SOURCE}/${COMPILES}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${COMPILES} is not compiled")
  endif()
endif()
