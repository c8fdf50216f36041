// SPDX-License-Identifier: BSD-3-Clause
// The command line.
#pragma once

#include <optional>

#include "xschedule/shown.hpp"

namespace xschedule {

struct Request {
  bool paper = false;
  std::optional<Shown> wanted;                        ///< unless paper
  std::string algorithm = "default", svg, csv, json;  ///< a name or "all"; files, empty: none

  bool shows(const Algorithm& a) const { return algorithm == "all" || algorithm == a.name; }
};

/// Nothing if help was asked for, which is then printed. Throws std::invalid_argument with one line that names the
/// argument.
std::optional<Request> parsed(int argc, const char* const* argv);

}  // namespace xschedule
