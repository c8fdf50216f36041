#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: checkpoint.sh PROGRAM LAUNCH...   10 + 10 steps on 4 and on 6 processes give the matrix of 20 steps on one.
# LAUNCH is mpiexec with the option for the number of processes.
program=$1
shift
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
once=$("$@" 1 "$program" "$folder/once.npy" 500 20) || exit 1
begun=$("$@" 4 "$program" "$folder/state.npy" 500 10) || exit 1
continued=$("$@" 6 "$program" "$folder/state.npy" 500 10) || exit 1
printf '%s\n' "$once" "$begun" "$continued"
[ "${once#begun}" = "${continued#continued}" ] && [ "$begun" != "$once" ] &&
  cmp "$folder/once.npy" "$folder/state.npy"
