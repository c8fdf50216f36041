#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: expect.sh PATTERN COMMAND...
# The command must succeed and print a line that matches. Exit status 77, skipped, is passed on.
pattern=$1
shift
output=$(XREDIST_VERBOSE=1 "$@" 2>&1)
status=$?
echo "$output"
[ $status -eq 0 ] || exit $status
echo "$output" | grep -q -- "$pattern" || { echo "no line with '$pattern'"; exit 1; }
