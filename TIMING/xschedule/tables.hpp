// Communication grids and costs, laid out as in the tables of Desprez et al. 1998.
#pragma once

#include <ostream>

#include "plan.hpp"

namespace xschedule {

/// Elements and step of every message: tables 2, 4, 6, 8, 11, 13. Large grids are cut.
void print_grid(std::ostream& out, const Plan& plan);

/// What each step costs, and all: tables 3, 5, 7, 9, 12, 14. Long ones are cut; the total is of all.
void print_costs(std::ostream& out, const Plan& plan);

}  // namespace xschedule
