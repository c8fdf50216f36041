// SPDX-License-Identifier: BSD-3-Clause
// The input file: what to time, and how.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cases/case.hpp"

namespace drivers {

using namespace cases;

struct Rounds {
  int warm_up = 1;
  int least = 5, most = 100;
  double seconds = 0.3;  ///< while the timed calls of a case take less in all, there are more rounds than the least
};

struct Input {
  std::vector<std::string> title;
  std::string output_file;
  int device = 6;  ///< 6: standard output, 0: standard error, other: output_file
  std::vector<std::string> algorithms;
  Rounds rounds;
  std::vector<Case> cases;
  bool sweep = false;  ///< the cases with the worst ratios are listed at the end
  /// The rows of values as they were read: meaning and values.
  std::vector<std::pair<std::string, std::string>> parameters;
};

/// A file has the form of ScaLAPACK's .dat files; REDIST.dat is an example. If it begins with a number, it has the form
/// of REDIST's own tests: the number of tests, then for each a line of 22 (P?GEMR2D) or 24 (P?TRMR2D) integers.
///
/// After its integers, a line may name files of intervals: ROWS_A=FILE, COLS_A=FILE, ROWS_B=FILE, COLS_B=FILE. Their
/// names are relative to the folder of `name`, and their texts are what `text_of` says. Throws InputError.
Input read_input(const std::string& name, const std::string& text,
                 const std::function<std::string(const std::string& file)>& text_of);

}  // namespace drivers
