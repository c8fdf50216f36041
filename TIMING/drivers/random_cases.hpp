// SPDX-License-Identifier: BSD-3-Clause
// Cases drawn at random, for a sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "cases/case.hpp"

namespace drivers {

/// The same cases for the same seed, on grids of 1 to `processes` processes: square, tall, wide and narrow matrices,
/// vectors, and panels of larger matrices, of some thousand to two million elements. Block sizes are from 1 to 256, and
/// their logarithms are equally likely.
std::vector<cases::Case> random_cases(std::uint64_t seed, int count, int processes);

}  // namespace drivers
