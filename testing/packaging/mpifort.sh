#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: mpifort.sh FOLDER SOURCE PREFIX LIBDIR MPIFORT SCALAPACK LAUNCHER...
# Compiles two programs in an empty folder with the command that the documents print, and runs them. SCALAPACK are the
# files and flags that replace -lscalapack-openmpi.
set -eu
folder=$1 source=$2 prefix=$3 libdir=$4 mpifort=$5 scalapack=$6
shift 6
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

# Prints the command of a document, in one line.
printed() {
  sed -n '/^ *mpifort \$D\/xredist/{N;s/\\\n/ /;p;}' "$source/$1" | sed 's/  */ /g;s/^ //'
}
command=$(printed README.md)
[ -n "$command" ] || { echo "README.md prints no command"; exit 1; }
for document in doc/files.rst doc/fit.rst doc/linking.rst; do
  [ "$(printed $document)" = "$command" ] || { echo "$document prints another command: $(printed $document)"; exit 1; }
done
echo "$command"
command=$(echo "$command" | sed "s|^mpifort|$mpifort|;s|/path/to/lib|$prefix/$libdir|g;s|-lscalapack-openmpi|$scalapack|")
compile() {
  cp "$source/examples/$1.f90" program.f90
  # shellcheck disable=SC2034  # the command names D
  D=$prefix/include/xredist && eval "$command -o $1"
}
compile slabs_to_eigenvectors
"$@" ./slabs_to_eigenvectors | tee output
grep -q 'eigenvectors: right' output
compile restart
"$@" ./restart factor factor.npy | tee output
grep -q ': right' output
