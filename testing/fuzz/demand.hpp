// SPDX-License-Identifier: BSD-3-Clause
// The end of a fuzz target that has found a fault.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace xredist::testing {

/// Prints `fact`, which does not hold, and `details`, and aborts: libFuzzer then keeps the input.
[[noreturn]] inline void report_fault(const char* fact, const std::string& details) {
  std::fprintf(stderr, "does not hold: %s\n%s\n", fact, details.c_str());
  std::abort();
}

/// Ends the program if `holds` is false.
inline void demand(bool holds, const char* fact, const std::string& details = {}) {
  if (!holds) report_fault(fact, details);
}

}  // namespace xredist::testing
