#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
set -eu
# shellcheck disable=SC2086  # CMAKE_ARGS are words
cmake -S . -B build -G Ninja ${CMAKE_ARGS-} -DCMAKE_INSTALL_PREFIX="$PREFIX" -DXREDIST_MPI="$mpi" -DBUILD_SHARED_LIBS=ON \
  -DXREDIST_TIMING=ON -DXREDIST_SMPICXX=OFF
cmake --build build
cmake --install build
