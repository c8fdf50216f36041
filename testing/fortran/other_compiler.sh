#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# other_compiler.sh FOLDER MODULES 'COMPILER FLAGS' 'LIBRARIES' LAUNCHER...
# Compiles the modules and three programs with a compiler that did not build the library, and runs the programs. This
# compiler may have no routine with an argument of assumed rank: XREDIST_EXECUTE, XREDIST_MOVE, XREDIST_START and
# XREDIST_JOB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1 modules=$2 compiler=$3 libraries=$4
shift 4
mkdir -p "$folder"
cd "$folder"
# shellcheck disable=SC2086  # words
for program in interfaces descriptors made; do
  $compiler "$modules/xredist.f90" "$modules/xredist_library.f90" "$modules/xredist_mapping.f90" \
    "$here/columns_and_rows.f90" -I"$here" "$here/$program.f90" -o $program $libraries
  "$@" ./$program
done
