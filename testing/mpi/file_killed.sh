#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: file_killed.sh COMMAND...   runs "COMMAND NAME", which must be killed as it writes the file, and checks that
# the old file is as it was.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
printf old >"$folder/a.npy"
if timeout 50 "$@" "$folder/a.npy" >"$folder/output" 2>&1; then
  echo "the program was not killed:"
  cat "$folder/output"
  exit 1
fi
if grep "not killed" "$folder/output"; then
  exit 1
fi
[ "$(cat "$folder/a.npy")" = old ] || { echo "the old file has changed"; exit 1; }
ls "$folder" | grep -q '^a[.]npy[.][0-9]*[.]tmp$' || { echo "the program ended before it wrote"; exit 1; }
