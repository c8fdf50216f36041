// SPDX-License-Identifier: BSD-3-Clause
// Random numbers for random cases.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "layout/axis.hpp"

namespace cases {

using xredist::core::Index;

/// Draws the same numbers on all processes and with all standard libraries, whose distributions differ.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number from `low` to `high`, uniformly distributed.
  Index from(Index low, Index high) {
    return low + static_cast<Index>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Returns a number from `low` to `high` whose logarithm is uniformly distributed.
  double scaled(double low, double high) {
    const double u = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low * std::pow(high / low, u);
  }
  Index scaled_whole(Index low, Index high) {
    return std::min(high, static_cast<Index>(scaled(static_cast<double>(low), static_cast<double>(high + 1))));
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cases
