// SPDX-License-Identifier: BSD-3-Clause
// The collective operation that finds the fastest way of a plan, for plans (xredist_plan_tune) and for calls of the
// drop-in (the option `tune`).
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/extremes.hpp"
#include "exchange/queue.hpp"
#include "plan/plan.hpp"
#include "tune/measure.hpp"

namespace xredist::core {

/// The plans of one execution, one for each region.
using Plans = std::vector<Plan>;

/// The arguments from which plans of a redistribution are made, besides the redistribution and the channel.
struct PlanSource {
  const char* routine;  ///< for the log
  std::shared_ptr<Grids> grids;
  Options options;    ///< equal on all processes; they need not be those of the channel
  double executions;  ///< as in plan_process

  /// Makes the plan of a redistribution under some options.
  Plan plan(const Redistribution& redistribution, const Options& under, const Links& links) const {
    return plan_process(redistribution, grids->pair(redistribution.operation.transposed), under, links, executions);
  }
};

/// The ways of a plan, the first of which is the model's choice. There are none on a process outside both grids.
struct PlannedWays {
  std::vector<std::string> settings{};  ///< of each way
  std::vector<Options> options{};       ///< of each way
  std::vector<Plans> plans{};           ///< of each way
  std::string key{};                    ///< of the redistribution, in files of results
  Index fingerprint = unknown;          ///< stands for key and ways; equal on the processes of both grids
  bool leads = false;                   ///< this process is the first of both grids: it logs, and has the file
  std::string file{};                   ///< XREDIST_TUNED, on the process that leads; or empty
  std::optional<std::size_t> known{};   ///< the way that an earlier run has found, on the process that leads
};

/// Makes the plans of all ways, allocates their buffers, and reads the file of XREDIST_TUNED. `parts`: the present
/// plans of the regions. Local. Throws.
PlannedWays planned_ways(const PlanSource& source, std::span<const Plan> parts, const Channel& channel, Queue& queue);

/// The way that a plan has after tune().
struct ChosenWay {
  std::string settings;                                      ///< empty: as modelled
  std::size_t among = 0;                                     ///< number of ways
  double seconds = std::numeric_limits<double>::infinity();  ///< infinite if an earlier run has found the way
};

/// Returns the end of a description: "measured: route=direct is the fastest of 9 ways, 988 us".
std::string description_of(const ChosenWay& way);

/// The plans of the fastest way.
struct TunedPlans {
  Options options;  ///< under which they were made
  Plans parts;
};

/// The result of tune(). Both members are nothing on a process outside both grids.
struct Tuned {
  std::optional<ChosenWay> way;  ///< nothing if there was one way
  std::optional<TunedPlans> plans;
};

/// Measures the ways of a plan on the arrays of the program, and returns the fastest one. If there is one way, or an
/// earlier run has found the way, the plan is executed once instead. Collective over the channel, after planned_ways()
/// has succeeded on all processes. `execute`: executes plans; any of them leaves the same B. If it throws on some
/// process, all processes throw the same failure.
Tuned tune(const char* routine, PlannedWays ways, const Channel& channel, Progress& progress,
           const std::function<void(std::span<const Plan>)>& execute);

}  // namespace xredist::core
