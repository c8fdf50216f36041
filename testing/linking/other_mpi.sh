#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: other_mpi.sh WORK LIBRARY SOURCE MPICC MPIEXEC SCALAPACK EXPECTED
# Preloads the library into a program of another MPI. The program must end, with a line that matches EXPECTED.
set -eu
work=$1 library=$2 source=$3 mpicc=$4 mpiexec=$5 scalapack=$6 expected=$7
unset LD_PRELOAD
"$mpicc" "$source" "$scalapack" -lm -o "$work/of_other_mpi"
"$mpiexec" -n 2 "$work/of_other_mpi"
status=0
output=$("$mpiexec" -n 2 env LD_PRELOAD="$library" "$work/of_other_mpi" 2>&1) || status=$?
echo "$output"
[ $status -ne 0 ] || { echo "the program goes on"; exit 1; }
echo "$output" | grep -q "^xredist: $expected" || { echo "no line '$expected'"; exit 1; }
