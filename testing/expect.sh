#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# expect.sh [-f] [-e TEXT | -n TEXT] [-o FILE] COMMAND... : runs the command, prints its output and
# keeps it in FILE. Succeeds if the command succeeds (with -f: fails) and its output contains TEXT
# (with -n: does not). CTest's PASS_REGULAR_EXPRESSION would ignore the exit status.
set -eu
fails=no text= without= output=
while getopts fe:n:o: option; do
  case $option in
    f) fails=yes ;;
    e) text=$OPTARG ;;
    n) without=$OPTARG ;;
    o) output=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
kept=${output:-$(mktemp)}
[ -n "$output" ] || trap 'rm -f "$kept"' EXIT

status=0
"$@" >"$kept" 2>&1 || status=$?
cat "$kept"

wrong() { echo "expect.sh: $1" >&2; exit 1; }
[ $fails = yes ] || [ $status -eq 0 ] || wrong "status $status"
[ $fails = no ] || [ $status -ne 0 ] || wrong "should have failed"
[ $status -ne 124 ] || wrong "timed out"
[ $status -lt 128 ] || wrong "ended by a signal, status $status"
[ -z "$text" ] || grep -qF -e "$text" "$kept" || wrong "no '$text' in the output"
[ -z "$without" ] || ! grep -qF -e "$without" "$kept" || wrong "'$without' in the output"
