# SPDX-License-Identifier: BSD-3-Clause
# Compiles and links the C and C++ targets of the including folder without -ffast-math, and without what implies it
# (-Ofast, -funsafe-math-optimizations), whatever the user's flags are: the options below follow them. -ffast-math changes
# the results of conversions and sums. And GCC up to 12 and Clang then link start-up code into a shared library, which
# makes the program that loads it flush subnormal numbers to zero; -O3 is for the linker, for which the last -O counts.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fno-fast-math XREDIST_FAST_MATH_CAN_BE_OFF)
if(XREDIST_FAST_MATH_CAN_BE_OFF)
  set(exact -fno-fast-math -fno-unsafe-math-optimizations)
  add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${exact}>")
  add_link_options("$<$<LINK_LANGUAGE:C,CXX>:${exact};-O3>")
endif()
