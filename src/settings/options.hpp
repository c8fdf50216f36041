// SPDX-License-Identifier: BSD-3-Clause
// The options that users can set.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/axis.hpp"
#include "schedule/algorithm.hpp"

namespace xredist::core {

/// The option `route`: whether messages travel directly or over a mesh.
struct RouteOption {
  enum class Kind : std::uint8_t { by_cost, direct, over_mesh };

  Kind kind = Kind::by_cost;
  std::array<std::uint8_t, 7> radices{};  ///< of a mesh, 2 to 127, then zeros; all zero: the mesh of two rounds

  friend bool operator==(const RouteOption&, const RouteOption&) = default;
};

/// The values of rank 0 hold for all processes of a communicator (channels.hpp).
struct Options {
  /// How much a call may cost to find arguments that differ between processes: nothing is sent for it; each process
  /// receives the arguments of process 0 in a small message; or a reduction compares the arguments of all processes.
  enum class Check : std::uint8_t { local, message, reduction };
  /// When large packets wait for permits.
  enum class Permits : std::uint8_t { never, on_slow_networks, always };

  Index buffer = Index{16} << 20;  ///< bytes for packets under way on one process, and again for exchanges begun early
  Index cache = 64;                ///< different calls that each context knows
  Index plans = Index{64} << 20;   ///< bytes of the plans of these calls that a process keeps
  Index verbose = 0;               ///< 1: rank 0 logs a line for each new plan; 2: and one for each call
  Check check = Check::local;
  bool report = false;  ///< a table of all calls is logged when the program ends (report.hpp)
  bool shared = true;   ///< processes of one node exchange through shared memory
  Permits permits = Permits::on_slow_networks;
  AlgorithmId algorithm = AlgorithmId::by_default;  ///< makes schedules
  RouteOption route{};
  Index threads = 1;    ///< threads that pack, unpack or copy a chunk together
  Index packet = 0;     ///< maximum bytes of a packet; 0: as the buffer suggests
  Index tune = 0;       ///< 1: calls of the drop-in find the fastest ways of their plans; 2: and log the times
  Index alpha = 2'000;  ///< nanoseconds per message, as the default algorithm assumes
  Index beta = 0;       ///< picoseconds per byte; 0: as measured, but at least 100 (10 GB/s)
  Index watch = 0;      ///< seconds after which a line tells for what a call waits (watch.hpp); 0: never
};

/// The parts of the text of the option `watch`: "60" or "60:/scratch/roll".
struct WatchOption {
  Index seconds = 0;
  std::string folder{};  ///< of the files of the roll-call; empty: none
};
/// Returns the parts, or nothing if the text is something else.
std::optional<WatchOption> watch_option(std::string_view text);

/// Returns the options of the environment: XREDIST_BUFFER (bytes, or with suffix K, M, G), XREDIST_CACHE,
/// XREDIST_PLANS (bytes), XREDIST_VERBOSE, XREDIST_CHECK (a name), XREDIST_REPORT, XREDIST_SHARED, XREDIST_PERMITS,
/// XREDIST_ALGORITHM (a name), XREDIST_ROUTE (a name or radices), XREDIST_THREADS, XREDIST_PACKET, XREDIST_TUNE,
/// XREDIST_ALPHA, XREDIST_BETA, XREDIST_WATCH (seconds, and perhaps a folder). `error` names an invalid value and the
/// reason, if there is one. `unknown` lists variables that begin with XREDIST_ and that nothing of this project reads:
/// "XREDIST_BUFER, XREDIST_TREADS".
struct EnvironmentOptions {
  Options options{};
  std::string error{};
  std::string unknown{};
};
EnvironmentOptions options_from_environment();

/// Returns the radices that are set; nothing for the mesh of two rounds, or if no mesh is asked for.
std::vector<int> radices_of(const RouteOption& route);

/// Returns the text with which set_option() gives an option its present value; nothing if there is no such option.
std::optional<std::string> option_text(const Options& options, std::string_view name);

/// Sets the options of one plan: "buffer=8M route=direct". The buffer may be half as large as that of a communicator
/// at least, so that two users of memory can share it. Returns the reason if the text is invalid; otherwise an empty
/// string.
std::string set_plan_options(Options& options, std::string_view text);

/// Sets an option by its name ("buffer") and the text that the environment variable would have. Returns the reason if
/// the text is invalid; otherwise an empty string.
std::string set_option(Options& options, std::string_view name, std::string_view value);

}  // namespace xredist::core
