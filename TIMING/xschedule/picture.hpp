// Plans drawn as SVG.
#pragma once

#include <ostream>
#include <vector>

#include "plan.hpp"
#include "schedule/cost.hpp"

namespace xschedule {

/// For each plan the communication grid, coloured by step, and beside it what every process sends and
/// receives over time, all on one scale. Red is contention: a step has two messages for one process, and
/// a sender waits while its receiver takes the other. Grey: the receiver is busy with an earlier step.
/// Large grids are cut.
void write_svg(std::ostream& out, const Case& c, const Bounds& bounds, const std::vector<Plan>& plans);

}  // namespace xschedule
