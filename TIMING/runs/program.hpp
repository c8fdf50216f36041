// SPDX-License-Identifier: BSD-3-Clause
// How a program that all processes run begins and ends.
#pragma once

#include <functional>

#include "cases/command_line.hpp"

namespace runs {

/// The whole of main: MPI, the command line, `measure`. Exit status: 0 if `measure` returns true, 1 if not, 2 if it
/// throws or the command line is wrong. `measure` throws on all processes or on none; the first prints the error.
int run(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure);

/// The same with a last line, "# passed" if `measure` returns true on all processes, or "# FAILED". The exit status
/// does not always tell: SimGrid returns 0 after a deadlock.
int run_and_tell(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure);

}  // namespace runs
