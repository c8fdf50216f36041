// SPDX-License-Identifier: BSD-3-Clause
// The cases to time: from an input file, or drawn at random.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "drivers/rounds.hpp"

namespace drivers {

struct Input {
  std::vector<std::string> title;
  std::string output_file;
  int device = 6;  ///< 6: standard output, 0: standard error, other: output_file
  std::vector<std::string> algorithms = {"default", "drop-in", "scalapack", "alltoallv"};
  Rounds rounds;
  std::vector<Case> cases;
  bool sweep = false;                                           ///< list the cases with the worst ratios at the end
  std::vector<std::pair<std::string, std::string>> parameters;  ///< meaning and text of each row of values
};

/// Parses an input file, which has the form of the .dat files of ScaLAPACK; REDIST.dat is an example. A file that
/// begins with a number has the form of REDIST's own tests: the number of tests, then for each test a line of 22
/// (P?GEMR2D) or 24 (P?TRMR2D) integers.
///
/// After its integers, a line may name files of partitions: ROWS_A=FILE, COLS_A=FILE, ROWS_B=FILE, COLS_B=FILE. These
/// names are relative to the folder of `name`; `text_of` returns the contents of a file. Throws InputError.
Input read_input(const std::string& name, const std::string& text,
                 const std::function<std::string(const std::string& file)>& text_of);

/// Draws cases, the same for the same seed: square, tall, wide and narrow matrices, vectors, and panels of larger
/// matrices, of 3,000 to 2,000,000 elements, on grids of 1 to `processes` processes. The logarithms of block sizes from
/// 1 to 256 are uniformly distributed.
std::vector<Case> random_cases(std::uint64_t seed, int count, int processes);

}  // namespace drivers
