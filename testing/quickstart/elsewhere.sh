#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: elsewhere.sh QUICKSTART SYSTEM QUERY EXPECTED
# Runs quickstart with SYSTEM (dnf, pacman or brew) as the only package manager. The command QUERY finds all packages,
# except those with "scalapack" in their names. quickstart must end with the line EXPECTED, a command that installs them.
set -eu
quickstart=$1 system=$2 query=$3 expected=$4
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
for tool in bash dirname env grep id uname cat; do ln -s "$(command -v $tool)" "$bin/$tool"; done
cat >"$bin/$system" <<'END'
#!/usr/bin/env bash
[[ "$*" != *scalapack* ]]
END
chmod +x "$bin/$system"
[ "$query" = "$system" ] || cp "$bin/$system" "$bin/$query"
status=0
output=$(PATH=$bin "$bin/bash" "$quickstart" 2>&1) || status=$?
echo "$output"
[ "$status" -eq 1 ] || { echo "status $status instead of 1"; exit 1; }
echo "$output" | grep -qx " *$expected *" || { echo "no line '$expected'"; exit 1; }
