#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: expect.sh TEXT COMMAND...
# The command must fail, with exactly one line of the library on stderr, which contains TEXT. At most one process may
# have returned from its call.
text=$1
shift
output=$(mktemp)
trap 'rm -f "$output"' EXIT
errors=$("$@" 2>&1 >"$output")
status=$?
lines=$(echo "$errors" | grep -o 'xredist: .*')
printf '%s\n%s\n' "$errors" "$(cat "$output")"
[ $status -ne 0 ] || { echo "the program went on"; exit 1; }
[ "$(grep -c returned "$output")" -lt 2 ] || { echo "the error was not noticed"; exit 1; }
[ "$(echo "$lines" | wc -l)" -eq 1 ] || { echo "not one line of the library"; exit 1; }
echo "$lines" | grep -qF -- "$text" || { echo "no '$text' in the line"; exit 1; }
