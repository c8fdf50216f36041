// SPDX-License-Identifier: BSD-3-Clause
// The timed rounds of a case, in which contenders take turns.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "drivers/contender.hpp"

namespace drivers {

struct Rounds {
  int warm_up = 2;  ///< at least 1 to measure memory
  int min = 7, max = 200;
  double seconds = 1;  ///< rounds beyond `min` are added while the timed calls of a case take less time than this
};

struct Outcome {
  std::string name;
  std::string undefined;  ///< why the algorithm is not defined for the case; empty if it is
  std::optional<Index> steps;
  std::string route;            ///< of a plan
  std::vector<double> seconds;  ///< of each timed call (seconds_of)
  std::optional<Index> memory;  ///< maximum bytes that a process uses besides A and B
  Wrong wrong;                  ///< in all calls, on all processes

  bool passed() const { return undefined.empty() && wrong.count == 0; }
  bool failed() const { return wrong.count > 0; }
};

struct CaseTimes {
  std::vector<double> memory_copy;  ///< seconds of each copy (seconds_of)
  std::vector<Outcome> outcomes;
};

/// Bytes that each library of xredist keeps until the program ends.
using Kept = std::map<std::string, Index>;

/// Calls every contender once in each round, in rotating order. Before each call B is blanked, after it all of B is
/// checked; neither is timed. Collective over the stage; returns the same on all processes. Calls `progress` with the
/// number of each round.
CaseTimes time_case(Stage& stage, const Rounds& rounds, const std::vector<std::string>& names, Kept& kept,
                    const std::function<void(int)>& progress);

}  // namespace drivers
