// The command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "case.hpp"

namespace xschedule {

struct Request {
  bool paper = false;
  std::optional<Case> shown;  ///< unless paper
  std::vector<const Algorithm*> algorithms;
  std::string svg, csv, json;  ///< files; empty: none
};

/// Nothing where help was asked for, and printed. Throws std::invalid_argument with one line that names
/// the argument.
std::optional<Request> parsed(int argc, const char* const* argv);

}  // namespace xschedule
