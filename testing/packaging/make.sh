#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: make.sh FOLDER MAKEFILE ARGUMENT...
# Builds and runs the programs of the smoke test in an empty folder.
set -eu
folder=$1 makefile=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
exec make -f "$makefile" check "$@"
