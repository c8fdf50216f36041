// SPDX-License-Identifier: BSD-3-Clause
// The end of a fuzz target that has found a fault.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace xredist::testing {

/// Prints `fact`, which does not hold, and `details`, and aborts: libFuzzer then keeps the input.
[[noreturn]] inline void report_fault(const char* fact, std::string_view details) {
  std::fprintf(stderr, "does not hold: %s\n%.*s\n", fact, static_cast<int>(details.size()), details.data());
  std::abort();
}

/// Ends the program if `holds` is false.
inline void demand(bool holds, const char* fact, std::string_view details = {}) {
  if (!holds) report_fault(fact, details);
}

}  // namespace xredist::testing
