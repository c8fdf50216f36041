// SPDX-License-Identifier: BSD-3-Clause
// The report of XREDIST_REPORT=1: a table of the calls that this process led, printed when the program ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "copy/redistribution.hpp"

namespace xredist::core {

/// Adds seconds to the row of a redistribution. `calls`: 0 for further seconds of a call that was counted already.
/// Without memory, the call is left out.
void report(std::string_view routine, const Redistribution& redistribution, Index calls, double seconds) noexcept;

/// Adds lines about a plan that has been tuned, which follow the table. Throws std::bad_alloc.
void report_tuning(const std::vector<std::string>& lines);

}  // namespace xredist::core
