#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: expect.sh [-e TEXT | -n TEXT]... COMMAND...
# The command must succeed, and print each TEXT of -e and none of -n. Exit status 77 (skipped) is passed on. (CTest's
# PASS_REGULAR_EXPRESSION would ignore the exit status.)
texts=$(mktemp)
trap 'rm -f "$texts"' EXIT
while getopts e:n: option; do
  case $option in
    [en]) printf '%s%s\n' "$option" "$OPTARG" >>"$texts" ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
[ $status -eq 0 ] || { echo "exit status $status"; exit $status; }
while read -r text; do
  printf '%s\n' "$output" | grep -qF -e "${text#?}" && found=e || found=n
  [ "${text%"${text#?}"}" = $found ] || { echo "expected -$text"; exit 1; }
done <"$texts"
