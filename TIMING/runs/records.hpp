// SPDX-License-Identifier: BSD-3-Clause
// Records of measurements: lines of CSV on the standard output of the first process.
#pragma once

#include <cstdio>
#include <iostream>
#include <string>

#include "cases/command_line.hpp"
#include "runs/timed.hpp"

namespace runs {

/// The options of all programs that record the times of repeated calls.
struct Repeated {
  std::string network = "this computer";  ///< as records name it
  int repetitions;

  explicit Repeated(int calls = 1) : repetitions(calls) {}
  void add_to(CLI::App& app) {
    app.add_option("--network", network, "name of the network in the records")->capture_default_str();
    app.add_option("--repetitions", repetitions, "timed calls, of which the median counts")
        ->check(cases::positive())
        ->capture_default_str();
  }
};

/// Writes a line, with six significant digits of each number, and flushes it.
template <class First, class... Rest>
void record(const First& first, const Rest&... rest) {
  if (rank_in_world() != 0) return;
  std::cout << first;
  ((std::cout << ',' << rest), ...);
  std::cout << std::endl;
}

/// The value with so many decimals.
inline std::string fixed(double value, int digits) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace runs
