// SPDX-License-Identifier: BSD-3-Clause
#include "layout_trials.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <tuple>

#include "gather.hpp"
#include "settings/decimals.hpp"

namespace xredist::trial {
namespace {

auto key_of(const LayoutTrial& x) {
  return std::tuple(std::string_view(x.routine), x.n, std::string_view(x.layout), std::string_view(x.fitted_layout));
}

template <std::size_t size>
void set(char (&text)[size], std::string_view value) {
  value.copy(text, size - 1);
}

}  // namespace

void LayoutTrials::add(std::string_view routine, int n, std::string_view layout, std::string_view fitted_layout,
                       const LayoutSeconds& seconds) {
  LayoutTrial trial{.routine = {}, .layout = {}, .fitted_layout = {}, .n = n, .calls = 1, .seconds = seconds};
  set(trial.routine, routine), set(trial.layout, layout), set(trial.fitted_layout, fitted_layout);
  add(trial);
}

void LayoutTrials::add(const LayoutTrial& trial) {
  const auto place = std::ranges::lower_bound(trials_, key_of(trial), {}, key_of);
  if (place == trials_.end() || key_of(*place) != key_of(trial)) {
    trials_.insert(place, trial);
    return;
  }
  place->calls += trial.calls;
  place->seconds.own += trial.seconds.own;
  place->seconds.fitted += trial.seconds.fitted;
  place->seconds.solving += trial.seconds.solving;
}

LayoutTrials LayoutTrials::gathered(int rank, int size) const {
  const std::vector<LayoutTrial> of_all = gather(std::span(trials_), rank, size);
  if (rank != 0) return *this;
  LayoutTrials merged;
  for (const LayoutTrial& trial : of_all) merged.add(trial);
  return merged;
}

std::string LayoutTrials::text() const {
  if (trials_.empty()) return {};
  std::string lines =
      "\nxredist-try: solvers in the layout of xredist_fit, on copies\n"
      "routine        n  blocks and grid          fitted               calls     own s  fitted s  of it moving s  "
      "ratio\n";
  for (const LayoutTrial& x : trials_) {
    const auto with_four = [](double seconds) { return core::with_decimals(seconds, 4); };
    char line[400];
    std::snprintf(line, sizeof line, "%-9s %6d  %-24s %-20s %5d  %8s  %8s        %8s  %5s\n", x.routine, x.n, x.layout,
                  x.fitted_layout, x.calls, with_four(x.seconds.own).c_str(), with_four(x.seconds.fitted).c_str(),
                  with_four(x.seconds.moving()).c_str(),
                  core::with_decimals(x.seconds.fitted / x.seconds.own, 3).c_str());
    lines += line;
  }
  return lines;
}

}  // namespace xredist::trial
