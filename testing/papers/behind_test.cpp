// SPDX-License-Identifier: BSD-3-Clause
// The library's default beside the papers' schedules, in random cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "papers/papers.hpp"
#include "random/random_traffic.hpp"
#include "schedules/command_line.hpp"
#include "schedules/listed.hpp"
#include "support/environment.hpp"

namespace papers {
namespace {

using core::Index;
using xredist::testing::Random, xredist::testing::slow_build;

// Draws a vector on 1 to 16 processes or a matrix on grids of 1 to 6 x 1 to 6, in blocks of 1 to 12.
cases::Case drawn(Random& random, bool matrix) {
  const Index elements[] = {200'000, 2'000'000, 20'000'000};
  cases::Case c{.m = elements[random.below(3)], .n = 1};
  if (matrix) c.m = c.n = std::lround(std::sqrt(static_cast<double>(c.m)));
  for (cases::Matrix* x : {&c.a, &c.b}) {
    x->nprow = static_cast<int>(1 + random.below(matrix ? 6 : 16));
    x->npcol = static_cast<int>(1 + random.below(matrix ? 6 : 1));
    x->mb = 1 + random.below(12);
    x->nb = 1 + random.below(matrix ? 12 : 1);
  }
  return c;
}

// Returns the time (s) in which an algorithm makes a schedule.
double seconds_of(const core::Algorithm& algorithm, const xschedule::Shown& c) {
  const std::clock_t begin = std::clock();
  algorithm.make(c.traffic, c.network, {});
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Returns whether an algorithm's schedules are proper and a paper's. Two passes are left out: on short axes they have
// fewer steps than the minimum of one pass.
bool of_paper(std::string_view name) {
  const auto has = [name](const core::Algorithm& x) { return x.name == name; };
  return (std::ranges::any_of(schedules(), has) && is_proper(name)) || name == "caterpillar" || name == "shifted";
}

// In at most one of a hundred cases, the default of a plan is behind a paper's schedule by more than 5 %, with barriers
// or without, where 1000 executions would save more than planning takes: src/schedule/THEORY.md has the figures of
// 18,000 cases. XREDIST_TEST_SEED, XREDIST_TEST_CASES: other and more cases.
TEST(Default, IsBehindNoPaper) {
  constexpr core::Network network{2e-6, 0.8e-9, 1000};
  const int cases = xredist::testing::test_cases(slow_build ? 30 : 600);
  Random random(xredist::testing::test_seed(85));
  std::map<std::string, int> compared, ahead;
  int slightly_behind = 0, cases_behind = 0;
  double planning = 0, longest = 0, most_behind = 1;
  for (int trial = 0; trial < cases; ++trial) {
    const xschedule::Shown c = xschedule::shown(drawn(random, trial % 3 == 2), network, 0, "two-hop");
    const double seconds = seconds_of(core::algorithms().front(), c);
    planning += seconds;
    longest = std::max(longest, seconds);
    std::optional<xschedule::Verdict> ours;
    double behind = 1;
    for (const core::Algorithm& algorithm : xschedule::choices(c.route)) {
      if (ours && !of_paper(algorithm.name)) continue;
      const xschedule::Verdict v = verdict_on(algorithm, xschedule::schedules_of(algorithm, c), c);
      if (!ours) {
        ours = v;
        continue;
      }
      if (!v.defined) continue;
      ++compared[v.name];
      for (double xschedule::Verdict::*time : {&xschedule::Verdict::barriers, &xschedule::Verdict::predicted}) {
        const double own = (*ours).*time, theirs = v.*time;
        ahead[v.name] += own < 0.98 * theirs;
        if ((own - theirs) * network.executions > seconds) behind = std::max(behind, own / theirs);
      }
    }
    slightly_behind += behind > 1.02;
    cases_behind += behind > 1.05;
    most_behind = std::max(most_behind, behind);
    if (behind > 1.05) std::printf("%s: %.3f\n", c.title.c_str(), behind);
  }
  std::printf("planning takes %.2f ms, at most %.2f ms\n", 1e3 * planning / static_cast<double>(cases), 1e3 * longest);
  std::printf("behind by 2 %% in %d cases, by 5 %% in %d, at most %.3f\n", slightly_behind, cases_behind, most_behind);
  EXPECT_LE(cases_behind, 1 + cases / 100);
  EXPECT_LE(slightly_behind, 1 + cases / 40);
  EXPECT_LE(most_behind, 1.4);
  for (const char* const name : {"stepwise", "greedy", "by-class", "caterpillar", "shifted"}) {
    EXPECT_GT(compared[name], cases / 20) << name;
    EXPECT_GT(ahead[name], 0) << name;
  }
}

// Returns a case of the notation of xdredist, "16/49:33/38", on m x n elements.
cases::Case named(const char* distributions, Index m, Index n) {
  cases::Case c{m, n};
  EXPECT_TRUE(lexical_cast(distributions, c)) << distributions;
  return c;
}

// Returns the maximum time of the default over that of a paper's schedule, with barriers or without.
double behind(const cases::Case& c, const core::Network& network) {
  const xschedule::Shown shown = xschedule::shown(c, network, 0, "two-hop");
  std::optional<xschedule::Verdict> ours;
  double most = 0;
  for (const core::Algorithm& algorithm : xschedule::choices(shown.route)) {
    if (ours && !of_paper(algorithm.name)) continue;
    const xschedule::Verdict v = verdict_on(algorithm, xschedule::schedules_of(algorithm, shown), shown);
    if (!ours) ours = v;
    if (v.defined) most = std::max({most, ours->barriers / v.barriers, ours->predicted / v.predicted});
  }
  return most;
}

// Plans on up to 64 processes: of few messages in many pieces, and of two axes. Without their lists of messages or
// their matchings the default was behind by 15 to 20 %.
TEST(Default, IsBehindNoPaperOnUpTo64Processes) {
  EXPECT_LE(behind(named("16/49:33/38", 200'000, 1), {2e-6, 0.8e-9, 1000}), 1.02);
  EXPECT_LE(behind(named("17/39:29/32", 200'000, 1), {2e-6, 0.8e-9, 1000}), 1.02);
  EXPECT_LE(behind(named("10x6/8x6:1x10/10x11", 4472, 4472), {0.5e-6, 6.4e-9, 1000}), 1.02);
  EXPECT_LE(behind(named("4x5/24x32:6x10/13x28", 1414, 1414), {2e-6, 0.8e-9, 1000}), 1.02);
}

// Plans of short matrices, in which one class of messages after the other reaches the bound without barriers. The
// default does not try that schedule, which costs 3 to 8 % here.
TEST(Default, IsSlightlyBehindOneClassAfterTheOther) {
  EXPECT_LE(behind(named("2x5/10x11:2x3/10x9", 447, 447), {2e-6, 0.8e-9, 1000}), 1.08);
  EXPECT_LE(behind(named("6x5/6x4:5x1/7x11", 447, 447), {2e-6, 0.8e-9, 1000}), 1.04);
  EXPECT_LE(behind(named("6x6/4x12:3x5/4x5", 1414, 1414), {2e-6, 0.8e-9, 1000}), 1.03);
}

// A single call, in which no search pays: one class of messages after the other.
TEST(Default, IsBehindNoPaperInACallOfOneClassAfterTheOther) {
  EXPECT_LE(behind(named("44/2:62/6", 200'000, 1), {0.5e-6, 6.4e-9}), 1.05);
}

}  // namespace
}  // namespace papers
