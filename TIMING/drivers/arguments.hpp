// The command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace drivers {

struct Arguments {
  std::string file = "REDIST.dat", csv, json;
  std::vector<std::string> algorithms;  ///< in place of the file's, unless empty
  bool relabel = false;                 ///< each case once more, with B's grid relabelled
  int rounds = 0;                       ///< in place of the file's, unless 0
};

/// Nothing if help was asked for; `help` is its text then. Throws std::invalid_argument, with one line.
std::optional<Arguments> parsed(const std::string& program, int argc, const char* const* argv, std::string& help);

}  // namespace drivers
