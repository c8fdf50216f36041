// What users may set.
#pragma once

#include <string>
#include <string_view>

#include "layout/axis.hpp"

namespace xredist::core {

/// One set holds for all processes of a communicator: its rank 0's, see channel.hpp.
struct Options {
  Index buffer = Index{16} << 20;  ///< bytes that messages under way may take on one process
  Index cache = 64;                ///< plans kept per context
  Index verbose = 0;               ///< 1: a line per new plan on rank 0, 2: and one per call
  Index check = 0;                 ///< 1: arguments are compared between processes in every call
  Index shared = 1;                ///< 1: processes of one node exchange through memory that they share
  Index permits = 1;               ///< 0: large loads are sent without, 1: on slow networks not, 2: nowhere
  Index algorithm = 0;             ///< that makes the schedules: place in algorithms()
  Index alpha = 2'000;             ///< what a message costs the default algorithm, in nanoseconds
  Index beta = 0;                  ///< and a byte, in picoseconds; 0: to be measured, 100 (10 GB/s) at least
};

/// From the environment: XREDIST_BUFFER (bytes, or with suffix K, M, G), XREDIST_CACHE,
/// XREDIST_VERBOSE, XREDIST_CHECK, XREDIST_SHARED, XREDIST_PERMITS, XREDIST_ALGORITHM (a name), XREDIST_ALPHA,
/// XREDIST_BETA. On a value that cannot be taken, `error` says which and why.
Options options_from_environment(std::string& error);

bool is_option(std::string_view name);

/// Sets one by its name ("buffer") and the text that the environment would hold. Returns what is wrong,
/// or nothing.
std::string set_option(Options& options, std::string_view name, std::string_view value);

}  // namespace xredist::core
