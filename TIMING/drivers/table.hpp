// The report in the manner of ScaLAPACK's own timing programs.
#pragma once

#include <ostream>

#include "figures.hpp"
#include "input.hpp"
#include "machine.hpp"

namespace drivers {

struct Counts {
  Index passed = 0, failed = 0;  ///< algorithms of cases
  Index undefined = 0;
  Index skipped = 0;  ///< cases
};

/// Banner, explanation of the columns, parameter values, headings.
void print_head(std::ostream& out, const Element& element, const Input& input, const Description& description);

/// A line for each algorithm, and what is wrong.
void print_case(std::ostream& out, const Verdict& verdict);
void print_skipped(std::ostream& out, int number, const Case& c, int size);

void print_end(std::ostream& out, const Counts& counts);

}  // namespace drivers
