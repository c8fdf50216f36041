// Plans for other programs.
#pragma once

#include <ostream>
#include <vector>

#include "comparison.hpp"
#include "plan.hpp"

namespace xschedule {

void write_csv_header(std::ostream& out);

/// One line for each piece; steps from 0, -1 for what a process keeps.
void write_csv(std::ostream& out, const Plan& plan);

/// The case, the bounds, what every algorithm costs and the messages of the plans.
void write_json(std::ostream& out, const Case& c, const Bounds& bounds, const std::vector<Verdict>& verdicts,
                const std::vector<Plan>& plans);

}  // namespace xschedule
