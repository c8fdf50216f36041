// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "drivers/reports.hpp"

namespace drivers {
namespace {

std::optional<double> ratio(double seconds, const std::vector<double>& reference) {
  if (reference.empty()) return std::nullopt;
  const double median = runs::summary_of(reference).median;
  return median > 0 ? std::optional(seconds / median) : std::nullopt;
}

}  // namespace

Figures figures_of(const Verdict& verdict, const Outcome& outcome) {
  const runs::Summary seconds = runs::summary_of(outcome.seconds);
  const auto& all = verdict.times.outcomes;
  const auto scalapack = std::ranges::find(all, "scalapack", &Outcome::name);
  return {seconds, 1e-9 * static_cast<double>(verdict.bytes) / seconds.median,
          scalapack == all.end() ? std::nullopt : ratio(seconds.median, scalapack->seconds),
          ratio(seconds.median, verdict.times.memory_copy)};
}

std::string check_text(const Outcome& outcome) {
  return outcome.failed() ? "FAILED" : outcome.passed() ? "passed" : "-";
}

}  // namespace drivers
