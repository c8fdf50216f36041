// SPDX-License-Identifier: BSD-3-Clause
// The command line of xschedule.
#pragma once

#include <optional>

#include "schedules/listed.hpp"

namespace xschedule {

struct Request {
  std::optional<Shown> wanted;                        ///< always, once parsed
  std::string algorithm = "default", svg, csv, json;  ///< a name or "all"; files, empty: none
  std::string route;                                  ///< radices of a mesh; empty: two-hop

  bool shows(const Algorithm& a) const { return algorithm == "all" || algorithm == a.name; }
};

/// Parses the command line. Returns nothing if the user asked for help, after printing the help. Throws
/// std::invalid_argument with one line that names the argument.
std::optional<Request> parsed(int argc, const char* const* argv);

}  // namespace xschedule
