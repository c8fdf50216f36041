// The published examples.
#pragma once

#include <ostream>

namespace xschedule {

/// Prints them beside the numbers of the papers. False where a number disagrees.
bool print_paper(std::ostream& out);

}  // namespace xschedule
