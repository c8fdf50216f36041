#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# files.sh FOLDER COMMAND... : runs COMMAND FILE (COMMAND is read_market) on valid files and on invalid
# ones, which it must reject with the line and the reason.
set -eu
file=$1/case.mtx
shift
expect=$(dirname "$0")/../support/expect.sh
mkdir -p "$(dirname "$file")"
header='%%%%MatrixMarket matrix coordinate real'
cases=0

check() {  # OPTION TEXT CONTENT COMMAND... ; CONTENT is a format of printf
  option=$1 text=$2 content=$3
  shift 3
  printf "$content" >"$file"
  sh "$expect" "$option" "$text" "$@" "$file"
  cases=$((cases + 1))
}

read='%%%%matrixmarket MATRIX Coordinate REAL Symmetric\r\n%% a comment\n\n \t2 2 3\r\n%% another\n1 1 2\n\n2\t1 -1d0\n 2 2 +3.5E0 \n\n%% end'
check -e  ' 2.000 -1.000 -1.000 3.500' "$read" "$@"
check -e  ' 1.000 .000 5.000 .000' "$header general\n2 2 3\n1 2 2\n1 1 1\n1 2 3" "$@"
check -e  ' .000' '%%%%MatrixMarket matrix coordinate integer general\n1 1 0' "$@"
check -fe 'case.mtx:1: the file is empty' '' "$@"
check -fe 'case.mtx:1: not a Matrix Market header' '3 3 1\n1 1 1\n' "$@"
check -fe 'case.mtx:1: not a Matrix Market header' '\n%%%%MatrixMarket matrix coordinate real general\n1 1 0\n' "$@"
check -fe 'case.mtx:1: only "matrix coordinate"' '%%%%MatrixMarket matrix array real general\n1 1\n1\n' "$@"
check -fe 'case.mtx:1: only real values' '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n' "$@"
check -fe 'case.mtx:1: only "general" and "symmetric"' "$header hermitian\n1 1 1\n1 1 1\n" "$@"
check -fe 'case.mtx:2: the file ends before its sizes' "$header general\n%% nothing\n" "$@"
check -fe 'case.mtx:2: expected rows, columns and entries' "$header general\n2 2\n" "$@"
check -fe 'case.mtx:2: expected rows, columns and entries' "$header general\n99999999999 99999999999 1\n" "$@"
check -fe 'case.mtx:2: the matrix is not square' "$header general\n2 3 1\n1 1 1\n" "$@"
check -fe 'case.mtx:4: expected row, column and value' "$header general\n2 2 2\n1 1 1\n2 2 nonsense\n" "$@"
check -fe 'case.mtx:3: expected row, column and value' "$header general\n2 2 1\n1 1 /\n" "$@"
check -fe 'case.mtx:3: expected row, column and value' "$header general\n2 2 1\n1 1 1 1\n" "$@"
check -fe 'case.mtx:3: expected row, column and value' "$header general\n2 2 1\n1 1 1e999\n" "$@"
check -fe 'case.mtx:3: outside the matrix' "$header general\n2 2 1\n1 3 1\n" "$@"
check -fe 'case.mtx:3: outside the matrix' "$header general\n2 2 1\n0 1 1\n" "$@"
check -fe 'case.mtx:3: above the diagonal' "$header symmetric\n2 2 1\n1 2 1\n" "$@"
check -fe 'case.mtx:4: the file ends after 2 of 3 entries' "$header symmetric\n2 2 3\n1 1 1\n2 2 1\n" "$@"
check -fe 'case.mtx:4: more lines than entries' "$header general\n1 1 1\n1 1 1\n1 1 1\n" "$@"
rm -f "$file"
sh "$expect" -fe "$file: " "$@" "$file"
sh "$expect" -fe "$(dirname "$file")" "$@" "$(dirname "$file")"
echo "$cases files"
