#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: moved.sh QUICKSTART
# Runs quickstart in a tree that was moved together with its build: the build must be configured anew. CMake is a script
# that ends quickstart.
set -eu
quickstart=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/bin" "$tree/build/release/CMakeFiles"
for tool in bash dirname env grep id uname cat sed rm; do ln -s "$(command -v $tool)" "$tree/bin/$tool"; done
printf '#!%s/bin/bash\necho "cmake $*"\nexit 1\n' "$tree" >"$tree/bin/cmake"
chmod +x "$tree/bin/cmake"
cp "$quickstart" "$tree/quickstart"
# configured HOME: prints the output of quickstart where the build was configured in the tree HOME
configured() {
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$1" >"$tree/build/release/CMakeCache.txt"
  PATH=$tree/bin "$tree/bin/bash" "$tree/quickstart" 2>&1 | grep '^cmake --preset release' || { echo "cmake was not called"; exit 1; }
}
configured "$tree"
[ -e "$tree/build/release/CMakeCache.txt" ] || { echo "the cache of this tree was deleted"; exit 1; }
configured /nowhere
[ ! -e "$tree/build/release/CMakeCache.txt" ] || { echo "the cache of another tree was kept"; exit 1; }
[ ! -e "$tree/build/release/CMakeFiles" ] || { echo "the files of another tree were kept"; exit 1; }
