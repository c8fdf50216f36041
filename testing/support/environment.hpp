// SPDX-License-Identifier: BSD-3-Clause
// Numbers that the environment gives to tests: XREDIST_TEST_SEED, XREDIST_TEST_CASES and others.
#pragma once

#include <cstdlib>

namespace xredist::testing {

/// Returns the number in an environment variable, or `otherwise` if the variable is not set.
inline int number_in_environment(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// Returns the seed of random cases, and their number.
inline unsigned test_seed(int otherwise) {
  return static_cast<unsigned>(number_in_environment("XREDIST_TEST_SEED", otherwise));
}
inline int test_cases(int otherwise) { return number_in_environment("XREDIST_TEST_CASES", otherwise); }

}  // namespace xredist::testing
