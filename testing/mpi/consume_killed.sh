#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: consume_killed.sh SURVIVORS COMMAND...   runs "COMMAND FOLDER", of which one process is killed as it moves a
# matrix, and checks that the job ends, and that the others have changed no byte but those of A and B.
survivors=$1
shift
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
timeout 50 "$@" "$folder" >"$folder/output" 2>&1
status=$?
if [ $status -eq 0 ] || [ $status -eq 124 ] || grep "not killed" "$folder/output"; then
  echo "status $status: the job was not ended by the death of a process"
  cat "$folder/output"
  exit 1
fi
for rank in $survivors; do
  [ "$(cat "$folder/$rank")" = kept ] || { echo "process $rank:"; cat "$folder/$rank"; exit 1; }
done
