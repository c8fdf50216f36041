// SPDX-License-Identifier: BSD-3-Clause
// Times the contenders of a case side by side.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "drivers/contenders.hpp"
#include "drivers/input.hpp"

namespace drivers {

struct Outcome {
  std::string name;
  std::string undefined;  ///< why it is not defined for the case; empty if it is
  Facts facts;
  std::vector<double> seconds;  ///< of each timed call, on the slowest process
  std::optional<Index> memory;  ///< most that it takes on a process beside A and B
  Wrong wrong;                  ///< in all calls, on all processes

  bool passed() const { return undefined.empty() && wrong.count == 0; }
  bool failed() const { return wrong.count > 0; }
};

struct CaseTimes {
  std::vector<double> memory_copy;  ///< seconds, as above
  std::vector<Outcome> outcomes;
};

/// Bytes that each of xredist's libraries has kept for the rest of the program.
using Kept = std::map<std::string, Index>;

/// In each round every contender is called once, in an order that rotates; before each call B is blanked,
/// after it all of B is checked, and neither is timed. Called by the processes of the stage; the same result
/// on all of them. `progress` is called with the number of each round.
CaseTimes time_case(const Case& c, Stage& stage, const Rounds& rounds, const std::vector<std::string>& names,
                    Kept& kept, const std::function<void(int)>& progress);

}  // namespace drivers
