// SPDX-License-Identifier: BSD-3-Clause
#include "api/tuning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <set>
#include <utility>

#include "api/compare.hpp"
#include "layout/digest.hpp"
#include "report/report.hpp"
#include "settings/decimals.hpp"
#include "settings/log.hpp"
#include "tune/results.hpp"

namespace xredist::core {
namespace {

Plans planned(const PlanSource& source, std::span<const Plan> parts, const Channel& channel, const Options& options) {
  Plans others;
  for (const Plan& part : parts) others.push_back(source.plan(part.redistribution, options, channel.links()));
  return others;
}

std::string signature(const Plans& parts) {
  std::string text;
  for (const Plan& part : parts) text += signature_of(part) + ";";
  return text;
}

// Returns whether a plan moves elements between processes.
bool has_choice(const GridPair& grids, const Redistribution& redistribution) {
  const auto& [rows, cols] = redistribution.traffic;
  return grids.members().size() > 1 && rows.n != 0 && cols.n != 0;
}

// Sets the file of results, and the way that it has for this plan.
void look_up(PlannedWays& ways) {
  const char* const file = std::getenv("XREDIST_TUNED");
  if (file == nullptr || *file == '\0') return;
  ways.file = file;
  const std::optional<std::string> settings = known_settings(ways.file, ways.key);
  if (!settings) return;
  const auto way = std::ranges::find(ways.settings, *settings);
  if (way != ways.settings.end())
    ways.known = static_cast<std::size_t>(way - ways.settings.begin());
  else
    write_log("%s: \"%s\" is not a way of this plan, ignored", file, settings->c_str());
}

const char* name_of(const std::string& settings) { return settings.empty() ? "as modelled" : settings.c_str(); }

std::vector<std::string> table_of(const char* routine, const PlannedWays& ways, const Measured& measured,
                                  std::size_t chosen) {
  std::vector<std::string> lines;
  lines.push_back(std::string(routine) + " tuned " + case_text_of(ways.plans[chosen].front()) + ": " +
                  std::to_string(measured.trials()) + " trials" +
                  (ways.known ? ", the way is known from " + ways.file : ""));
  for (std::size_t way = 0; way < ways.settings.size(); ++way) {
    const auto& [seconds, trials] = measured.ways()[way];
    char text[160];
    if (trials > 0)
      std::snprintf(text, sizeof text, "  %-46s %12s us, %2d trials%s", name_of(ways.settings[way]),
                    with_decimals(1e6 * seconds, 1).c_str(), trials, way == chosen ? ", chosen" : "");
    else
      std::snprintf(text, sizeof text, "  %-46s %15s, %2d trials%s", name_of(ways.settings[way]), "no time", trials,
                    way == chosen ? ", chosen" : "");
    lines.emplace_back(text);
  }
  return lines;
}

// Logs and keeps what was found. A failure to do so has no effect on the plan.
void tell(const char* routine, const PlannedWays& ways, const Measured& measured, std::size_t chosen,
          const Options& options) {
  if (!ways.leads) return;
  const bool logs = options.verbose >= 1 || options.tune >= 2;
  try {
    if (logs || options.report) {
      const std::vector<std::string> lines = table_of(routine, ways, measured, chosen);
      if (logs)
        for (const std::string& line : lines) write_log("%s", line.c_str());
      if (options.report) report_tuning(lines);
    }
    const double seconds = measured.ways()[chosen].seconds;
    if (!ways.file.empty() && std::isfinite(seconds))
      keep_settings(ways.file, ways.key, ways.settings[chosen], seconds);
  } catch (const std::bad_alloc&) {
  }
}

// Executes ways one after the other, each when all processes are ready, and sets the maximum of the seconds of each
// over all processes. A process that fails takes part in the later trials, for which others wait. At the end all
// processes throw the same failure.
void run(const PlannedWays& ways, std::span<const std::size_t> trials, std::span<double> seconds,
         const Channel& channel, Progress& progress, const std::function<void(std::span<const Plan>)>& execute) {
  Attempt<bool> all = true;
  for (std::size_t trial = 0; trial < trials.size(); ++trial) {
    synchronise(channel.comm(), progress);
    const double start = MPI_Wtime();
    const auto executed = attempt([&] {
      if (!ways.plans.empty()) execute(ways.plans[trials[trial]]);
    });
    // The first failure counts, or rather one of this process than one of which the process was told.
    const auto was_told = [](const Failure* failure) { return failure->code == XREDIST_PEER_FAILED; };
    const Failure* const failure = executed.failure();
    if (failure != nullptr && (all.failure() == nullptr || (was_told(all.failure()) && !was_told(failure))))
      all = *failure;
    seconds[trial] = MPI_Wtime() - start;
  }
  everywhere(std::move(all), channel.comm(), progress);
  reduce(seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, channel.comm(), progress);
}

}  // namespace

PlannedWays planned_ways(const PlanSource& source, std::span<const Plan> parts, const Channel& channel, Queue& queue) {
  PlannedWays ways;
  const Redistribution& redistribution = parts.front().redistribution;
  const auto grids = source.grids->pair(redistribution.operation.transposed);
  if (!grids->in_a() && !grids->in_b()) return ways;
  const std::vector<int>&ranks_a = source.grids->ranks_a(), &ranks_b = source.grids->ranks_b();
  ways.key = key_of(redistribution, ranks_a, ranks_b, source.options, channel.links());
  Digest digest;
  digest.add(ways.key);
  std::set<std::string> signatures;
  for (Way& way : ways_of(redistribution, grids, source.options, channel.links())) {
    Plans plans = planned(source, parts, channel, way.options);
    const std::string text = signature(plans);
    if (!signatures.insert(text).second) continue;
    queue.reserve(buffers_of(plans));
    digest.add(way.settings);
    digest.add(text);
    ways.settings.push_back(std::move(way.settings));
    ways.options.push_back(way.options);
    ways.plans.push_back(std::move(plans));
    if (!has_choice(*grids, redistribution)) break;
  }
  ways.fingerprint = digest.number();
  ways.leads = std::min(std::ranges::min(ranks_a), std::ranges::min(ranks_b)) == channel.rank();
  if (ways.leads && ways.plans.size() > 1) look_up(ways);
  return ways;
}

Tuned tune(const char* routine, PlannedWays ways, const Channel& channel, Progress& progress,
           const std::function<void(std::span<const Plan>)>& execute) {
  const std::array compared{Compared{{"plan"}, ways.fingerprint, differs},
                            Compared{{"plan"}, ways.plans.empty() ? unknown : std::ssize(ways.plans), differs},
                            Compared{{"plan"}, ways.known ? static_cast<Index>(*ways.known) : unknown, differs}};
  const auto agreed = agreed_values(Attempt(compared), channel.comm(), progress);
  const auto count = static_cast<std::size_t>(agreed[1]);
  const bool known = agreed[2] != unknown;
  const auto execute_ways = [&](std::span<const std::size_t> trials, std::span<double> seconds) {
    run(ways, trials, seconds, channel, progress, execute);
  };
  const Measured measured = known ? Measured(count) : measure(count, execute_ways);
  const std::size_t chosen = known ? static_cast<std::size_t>(agreed[2]) : measured.best();
  if (measured.trials() == 0) {
    double seconds = 0;
    execute_ways({&chosen, 1}, {&seconds, 1});
  }
  if (ways.plans.empty()) return {};
  Tuned tuned;
  if (count > 1) {
    tell(routine, ways, measured, chosen, channel.options());
    tuned.way = {std::move(ways.settings[chosen]), count, measured.ways()[chosen].seconds};
  }
  tuned.plans = {ways.options[chosen], std::move(ways.plans[chosen])};
  return tuned;
}

std::string description_of(const ChosenWay& way) {
  std::string text =
      std::string("measured: ") + name_of(way.settings) + " is the fastest of " + std::to_string(way.among) + " ways";
  if (!std::isfinite(way.seconds)) return text;
  return text + ", " + with_digits(1e6 * way.seconds, 3) + " us";
}

}  // namespace xredist::core
