#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: expect.sh ours|theirs ROUTINE,... COMMAND...
# The command must succeed. With XREDIST_VERBOSE=1 this library must print a line for a plan of each routine (ours), or
# nothing at all (theirs).
whose=$1 routines=$(echo "$2" | tr , ' ')
shift 2
output=$(XREDIST_VERBOSE=1 "$@" 2>&1) || { status=$?; echo "$output"; echo "exit status $status"; exit 1; }
echo "$output"
case $whose in
  ours)
    for routine in $routines; do
      echo "$output" | grep -q "^xredist: $routine plans " || { echo "no line 'xredist: $routine plans'"; exit 1; }
    done ;;
  theirs) ! echo "$output" | grep "xredist:" || { echo "this library was called"; exit 1; } ;;
  *) exit 2 ;;
esac
