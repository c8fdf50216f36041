// SPDX-License-Identifier: BSD-3-Clause
// The memory that a program allocates with new.
#pragma once

#include <cstddef>

/// Return the bytes in use, and their maximum since the last call of reset_peak().
std::size_t used_bytes();
std::size_t peak_bytes();
void reset_peak();
