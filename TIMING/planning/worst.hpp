// The longest that planning takes, of many random cases.
#pragma once

#include <cstdint>

/// Plans for `count` random cases and prints those that took longest. 0 if none took more than `limit` seconds of CPU
/// time; otherwise 1, as an exit status.
int worst_of(int count, std::uint64_t seed, double limit);
