#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: install.sh CMAKE BUILD FIRST MOVED
# Installs the build into the folder FIRST, removes all files as doc/linking.rst says, installs again, and moves the folder
# to MOVED. No file may contain the path of FIRST or of the build.
set -eu
rm -rf "$3" "$4"
"$1" --install "$2" --prefix "$3"
xargs rm <"$2/install_manifest.txt"
left=$(find "$3" ! -type d)
[ -z "$left" ] || { echo "not removed: $left"; exit 1; }
"$1" --install "$2" --prefix "$3"
mv "$3" "$4"
! grep -rl "$3" "$4" || { echo "these files know where they were installed first"; exit 1; }
! grep -rl "$2" "$4" || { echo "these files know where they were built"; exit 1; }
