// SPDX-License-Identifier: BSD-3-Clause
// The results of the trial of a program, and their output.
#pragma once

#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

#include "layout_trials.hpp"
#include "left_out.hpp"
#include "report/table.hpp"
#include "slowest.hpp"
#include "tuned.hpp"

namespace xredist::trial {

/// The results of this process.
struct Results {
  std::mutex mutex;
  core::Rows rows;
  Slowest slowest;
  LeftOut left_out;          ///< calls that were not tried
  LayoutTrials layouts;      ///< of solvers, by --layouts
  LeftOut solvers_left_out;  ///< calls of solvers that --layouts left out
  TunedLog tuned;
  std::string own_library;  ///< file of the program's own routines
  bool written = false;
  pid_t process = getpid();  ///< a process that the program forks writes nothing
};

/// Returns the results, which are never destroyed.
Results& results();

/// Returns the seconds since the library was loaded.
double run_seconds();

/// Returns whether only xredist carries out calls (XREDIST_TRY_ONLY).
bool only_xredist();

/// Returns whether the program already runs with xredist, which leaves nothing to try.
bool own_is_xredist();

}  // namespace xredist::trial
