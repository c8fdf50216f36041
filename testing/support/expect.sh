#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: expect.sh [-f] [-1] [-e TEXT | -n TEXT]... [-o FILE] COMMAND...
# Runs the command, prints its output, and keeps the output in FILE. The command must succeed (with -f: fail), and print
# each TEXT of -e and none of -n; with -1, exactly one line of the library. Exit status 77 (skipped) is passed on.
# (CTest's PASS_REGULAR_EXPRESSION would ignore the exit status.)
fails=no
one_line=no
output=
texts=$(mktemp)
kept=$(mktemp)
trap 'rm -f "$texts" "$kept"' EXIT
while getopts f1e:n:o: option; do
  case $option in
    f) fails=yes ;;
    1) one_line=yes ;;
    [en]) printf '%s%s\n' "$option" "$OPTARG" >>"$texts" ;;
    o) output=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
wrong() { echo "expect.sh: $1" >&2; exit 1; }

"$@" >"$kept" 2>&1
status=$?
cat "$kept"
[ -z "$output" ] || cp "$kept" "$output" || wrong "cannot write $output"
[ $status -ne 77 ] || exit 77
[ $fails = yes ] || [ $status -eq 0 ] || wrong "status $status"
[ $fails = no ] || [ $status -ne 0 ] || wrong "should have failed"
[ $status -ne 124 ] || wrong "timed out"
[ $status -lt 128 ] || wrong "ended by a signal, status $status"
[ $one_line = no ] || [ "$(grep -c 'xredist: ' "$kept")" -eq 1 ] || wrong "not one line of the library"
while read -r text; do
  grep -qF -e "${text#?}" "$kept" && found=e || found=n
  [ "${text%"${text#?}"}" = $found ] || wrong "expected -$text"
done <"$texts"
