// SPDX-License-Identifier: BSD-3-Clause
// The library's default beside the papers' schedules, in random cases.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>

#include "papers/papers.hpp"
#include "papers/walker_otto.hpp"
#include "random/random_traffic.hpp"
#include "schedules/listed.hpp"

namespace papers {
namespace {

using core::Index;
using xredist::testing::Random, xredist::testing::slow_build;

long number(const char* variable, long otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atol(text);
}

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

// Returns whether an algorithm is one of a paper whose schedules are proper.
bool of_paper(std::string_view name) {
  const auto has = [name](const core::Algorithm& x) { return x.name == name; };
  return (std::ranges::any_of(schedules(), has) && is_proper(name)) || name == passes_name || name == "caterpillar" ||
         name == "shifted";
}

// No paper's schedule takes less time than the default by more than 2 %, with barriers or without, where the plan's
// executions save more than planning takes.
TEST(Default, IsBehindNoPaper) {
  const long cases = number("XREDIST_TEST_CASES", slow_build ? 30 : 300);
  Random random(static_cast<unsigned>(number("XREDIST_TEST_SEED", 85)));
  const core::Network network{2e-6, 0.8e-9, static_cast<double>(number("EXEC", 1000))};
  std::map<std::string, int> compared, ahead;
  double sum = 0, longest = 0;
  for (long trial = 0; trial < cases; ++trial) {
    const xschedule::Shown c = xschedule::shown(drawn(random, trial % 3 == 2), network, 0, "two-hop");
    const double planning = seconds_of(core::algorithms().front(), c);
    sum += planning;
    longest = std::max(longest, planning);
    std::optional<xschedule::Verdict> ours;
    for (const core::Algorithm& algorithm : xschedule::choices(c.route)) {
      if (ours && !of_paper(algorithm.name)) continue;
      const xschedule::Verdict v = verdict_on(algorithm, xschedule::schedules_of(algorithm, c), c);
      if (!ours) ours = v;
      if (!v.defined || v.name == "default") continue;
      ++compared[v.name];
      for (double xschedule::Verdict::*time : {&xschedule::Verdict::barriers, &xschedule::Verdict::predicted}) {
        const double own = (*ours).*time, other = v.*time;
        ahead[v.name] += own < 0.98 * other;
        EXPECT_TRUE(own <= 1.02 * other || (own - other) * network.executions <= planning)
            << c.title << ": default " << 1e6 * own << " us, " << v.name << " " << 1e6 * other << " us, "<< own/other << (time == &xschedule::Verdict::barriers ? " barriers" : " without");
      }
    }
  }
  std::printf("planning takes %.2f ms, at most %.2f ms\n", 1e3 * sum / static_cast<double>(cases), 1e3 * longest);
  for (const char* const name : {"stepwise", "greedy", "by-class", "caterpillar", "shifted"}) {
    EXPECT_GT(compared[name], cases / 20) << name;
    EXPECT_GT(ahead[name], 0) << name;
  }
}

}  // namespace
}  // namespace papers
