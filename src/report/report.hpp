// SPDX-License-Identifier: BSD-3-Clause
// The report of XREDIST_REPORT=1: a table of the calls that this process led, printed when the program ends.
#pragma once

#include <string_view>

#include "copy/redistribution.hpp"

namespace xredist::core {

/// Adds seconds to the row of a redistribution. `calls`: 0 for further seconds of a call that was counted already.
/// Without memory, the call is left out.
void report(std::string_view routine, const Redistribution& redistribution, Index calls, double seconds) noexcept;

}  // namespace xredist::core
