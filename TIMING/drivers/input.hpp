// The input file: what to time, and how.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/case.hpp"

namespace drivers {

using namespace cases;

struct Rounds {
  int warm_up = 1;
  int least = 5, most = 100;
  double seconds = 0.3;  ///< of timed calls of a case: while they last, there are more rounds than the least
};

struct Input {
  std::vector<std::string> title;
  std::string output_file;
  int device = 6;  ///< 6: standard output, 0: standard error, other: output_file
  std::vector<std::string> algorithms;
  Rounds rounds;
  std::vector<Case> cases;
  bool sweep = false;  ///< what counts is the worst of them
  /// The rows of values as they were read: meaning and values.
  std::vector<std::pair<std::string, std::string>> parameters;
};

/// A file is in the manner of ScaLAPACK's .dat files, see REDIST.dat, or, if it begins with a number, of
/// REDIST's own tests: the number of tests, then a line of 22 (P?GEMR2D) or 24 (P?TRMR2D) integers for each.
/// `name` is used in messages only. Throws InputError.
Input read_input(const std::string& name, const std::string& text);

}  // namespace drivers
