// SPDX-License-Identifier: BSD-3-Clause
// What users can set.
#pragma once

#include <string>
#include <string_view>

#include "layout/axis.hpp"

namespace xredist::core {

/// The values of rank 0 hold for all processes of a communicator (see channel.hpp).
struct Options {
  enum Route : Index { by_cost, direct, two_hops };

  Index buffer = Index{16} << 20;  ///< bytes that messages under way may take on one process
  Index cache = 64;                ///< plans kept per context
  Index verbose = 0;               ///< 1: rank 0 prints a line per new plan; 2: and one per call
  Index check = 0;                 ///< 1: arguments are compared between processes in every call
  Index shared = 1;                ///< 1: processes of one node exchange through shared memory
  Index permits = 1;               ///< large loads wait for permits: 0: never, 1: on slow networks, 2: always
  Index algorithm = 0;             ///< index in algorithms() of the one that makes the schedules
  Index route = by_cost;           ///< whether messages travel directly or in two hops
  Index threads = 1;               ///< that pack, unpack or copy a piece together
  Index alpha = 2'000;             ///< cost per message that the default algorithm assumes, in nanoseconds
  Index beta = 0;                  ///< and cost per byte, in picoseconds; 0: as measured, but at least 100 (10 GB/s)
};

/// From the environment: XREDIST_BUFFER (bytes, or with suffix K, M, G), XREDIST_CACHE,
/// XREDIST_VERBOSE, XREDIST_CHECK, XREDIST_SHARED, XREDIST_PERMITS, XREDIST_ALGORITHM (a name), XREDIST_ROUTE
/// (a name), XREDIST_THREADS, XREDIST_ALPHA, XREDIST_BETA. If a value is invalid, `error` names it and says why.
Options options_from_environment(std::string& error);

bool is_option(std::string_view name);

/// Sets an option by its name ("buffer") and the text that the environment variable would have. Returns what is wrong,
/// or an empty text.
std::string set_option(Options& options, std::string_view name, std::string_view value);

}  // namespace xredist::core
