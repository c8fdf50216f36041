// SPDX-License-Identifier: BSD-3-Clause
// Division of whole numbers as the rest of the library needs it.
#pragma once

#include "layout/axis.hpp"

namespace xredist::core {

/// The residue of x in [0, y), also for negative x; y > 0.
constexpr Index modulo(Index x, Index y) { return ((x % y) + y) % y; }

/// x / y, rounded up, also for negative x; y > 0.
constexpr Index ceil_div(Index x, Index y) { return x >= 0 ? (x + y - 1) / y : -(-x / y); }

}  // namespace xredist::core
