# SPDX-License-Identifier: BSD-3-Clause
# Makes a template for each kind of page, with style and scripts in one file, and a source file with all templates.
# usage: cmake -D SOURCE=DIR -D OUT=DIR -P embed.cmake
cmake_minimum_required(VERSION 3.21)
set(source_file "// Made by pages/embed.cmake.\n#include \"page.hpp\"\n\nnamespace xredist::pages {\n")
file(READ ${SOURCE}/page.css style)
file(READ ${SOURCE}/page.js shared)
foreach(kind IN ITEMS trial schedule)
  file(READ ${SOURCE}/page.html page)
  file(READ ${SOURCE}/${kind}.js script)
  string(REPLACE "{{style}}" "${style}" page "${page}")
  string(REPLACE "{{script}}" "${shared}${script}" page "${page}")
  file(WRITE ${OUT}/${kind}.html "${page}")
  string(APPEND source_file "\nconst char* const ${kind}_template = R\"embedded(${page})embedded\";\n")
endforeach()
file(WRITE ${OUT}/templates.cpp "${source_file}\n}  // namespace xredist::pages\n")
