#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Run by the recipe, which sets SRC_DIR, CMAKE_ARGS (the prefix, compilers), CPU_COUNT and the variant's mpi.
set -euo pipefail
# shellcheck disable=SC2086,SC2154  # CMAKE_ARGS are words; all are set by the recipe
cmake -G Ninja -S "$SRC_DIR" -B build $CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON "-DXREDIST_MPI=$mpi" \
  -DXREDIST_TESTING=OFF -DXREDIST_TIMING=OFF -DXREDIST_SMPICXX=OFF
cmake --build build --parallel "$CPU_COUNT"
cmake --install build
