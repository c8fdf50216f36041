#pragma once

#include <string>
#include <vector>

#include "case.hpp"

namespace networks {

struct Arguments {
  std::string network = "unnamed";  ///< as the records name it
  std::vector<std::string> cases, algorithms;
  std::string bytes = "16M";
  bool per_process = false;  ///< `bytes` is for each process of the larger grid
  double rate = 0;           ///< of a port, bytes per second
  int warm_up = 0, repetitions = 1;
  double limit = 0;  ///< 0: none
  bool header = true;
};

/// Throws std::invalid_argument with what to print; empty: `--help` was asked for, and usage() is to be printed.
Arguments parse(int argc, char** argv);
std::string usage();

/// "16M": a whole number with K, M or G.
Index bytes_of(const std::string& text);

}  // namespace networks
