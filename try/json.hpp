// SPDX-License-Identifier: BSD-3-Clause
// The results as JSON: xredist-try --json, and the data of the page of --html.
#pragma once

#include <string>
#include <vector>

#include "results.hpp"
#include "where.hpp"

namespace xredist::trial {

/// The results of all processes, or those of this process alone.
struct Gathered {
  core::Rows rows;
  LeftOut left_out, solvers_left_out;
  LayoutTrials layouts;
  Slowest slowest;
  std::vector<std::string> tuned;  ///< lines of the log
  Where where;
  double seconds;  ///< of the program
  bool complete;   ///< of all processes
};

/// Returns an object, whose members xredist-try(1) describes.
std::string json_of(const Gathered& all);

}  // namespace xredist::trial
