// SPDX-License-Identifier: BSD-3-Clause
// The longest that planning takes, of many random cases.
#pragma once

#include <cstdint>

/// Plans for `count` random cases and prints those that took longest. 0 if none took more than `limit` seconds of CPU
/// time; otherwise 1, as an exit status. A case is two grids of up to 1024 processes with blocks of 1 to 4096 elements,
/// and a network with alpha from 1e-7 to 1e-3 and beta from 1e-12 to 1e-5 seconds.
int worst_of(int count, std::uint64_t seed, double limit);
