// SPDX-License-Identifier: BSD-3-Clause
// The messages of a process, each with its way.
#pragma once

#include "plan/plan.hpp"

namespace xredist::core {

/// Enters into a plan what process `me` sends and receives, and keeps for itself: directly, in the order of a schedule.
void route_directly(Plan& plan, const ProcessGrid& a, const ProcessGrid& b, const Schedule& schedule, int me,
                    const Options& options, const Links& links);

/// The same in two hops. Where that takes too long, schedules have some more steps than they need.
void route_in_two_hops(Plan& plan, TwoHops& hops, int me, const Options& options, const Links& links);

}  // namespace xredist::core
