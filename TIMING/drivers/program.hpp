// SPDX-License-Identifier: BSD-3-Clause
// Start and end of MPI programs, and their records: lines of CSV on the standard output of rank 0.
#pragma once

#include <cstdio>
#include <functional>
#include <iostream>
#include <string>

#include "drivers/times.hpp"
#include "schedules/command_line.hpp"

namespace runs {

/// Runs all of main: MPI, the command line, `measure`. Returns the exit status: 0 if `measure` returns true, 1 if
/// false, 2 if it throws or the command line is wrong. `measure` throws on all processes or on none; rank 0 prints the
/// error.
int run(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure);

/// Runs main and prints a last line, "# passed" if `measure` returns true on all processes, otherwise "# FAILED".
/// Scripts need this line because SimGrid returns 0 after a deadlock.
int run_and_tell(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure);

/// The options of all programs that record the times of repeated calls.
struct Repeated {
  std::string network = "this computer";  ///< name of the network in records
  int repetitions;

  explicit Repeated(int calls = 1) : repetitions(calls) {}
  void add_to(CLI::App& app) {
    app.add_option("--network", network, "name of the network in the records")->capture_default_str();
    app.add_option("--repetitions", repetitions, "timed calls; the median counts")
        ->check(cases::positive())
        ->capture_default_str();
  }
};

/// Writes a line with six significant digits of each number, and flushes the output.
template <class First, class... Rest>
void record(const First& first, const Rest&... rest) {
  if (rank_in_world() != 0) return;
  std::cout << first;
  ((std::cout << ',' << rest), ...);
  std::cout << std::endl;
}

/// Returns the value with `digits` decimals.
inline std::string fixed(double value, int digits) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace runs
