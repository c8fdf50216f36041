// How a program that all processes run begins and ends.
#pragma once

#include <functional>

#include "cases/command_line.hpp"

namespace runs {

/// The whole of main: MPI, the command line, `measure`. Exit status: 0 where that returns true, 1 where not, 2 where it
/// throws or the command line is wrong: alike on all processes, of which the first says so in a line.
int run(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure);

/// The same with a last line, "# passed" where `measure` returns true on all processes, or "# FAILED": what starts a
/// program need not tell of its end. SimGrid returns 0 after a deadlock.
int run_and_tell(CLI::App& app, int argc, char** argv, const std::function<bool()>& measure);

}  // namespace runs
