// SPDX-License-Identifier: BSD-3-Clause
// Random traffics, for the algorithms of the papers and of the library.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "examples.hpp"

namespace papers {
namespace {

using xredist::testing::slow_build;

TEST(Papers, NamesDiffer) {
  std::set<std::string_view> names;
  for (const auto& list : {core::algorithms(), schedules()})
    for (const core::Algorithm& algorithm : list) {
      EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name;
      EXPECT_EQ(find(algorithm.name), &algorithm);
    }
  EXPECT_EQ(schedules().size(), 6u);
  EXPECT_EQ(find("fastest"), nullptr);
}

// Draws an axis: any one, or with one block size a multiple of the other on as many processes.
Overlap drawn(xredist::testing::Random& random, Index procs, Index longest) {
  if (random.below(2) == 0) return any_overlap(random, procs, 8, longest);
  const Index P = 1 + random.below(procs), r = 1 + random.below(4), K = 1 + random.below(6), skip = random.below(4);
  Axis a = random_axis(random, P, r), b = random_axis(random, P, K * r);
  a.first = b.first = skip * K * r;
  return random.below(2) == 0 ? Overlap(a, b, 1 + random.below(longest)) : Overlap(b, a, 1 + random.below(longest));
}

// Every message comes once. In a proper schedule no process sends or receives twice in a step. An algorithm that has no
// schedule has a reason. stepwise has the minimum number of steps, Delta; greedy less than twice as many, because each
// message meets another one of its sender or its receiver in every step before its own.
TEST(Papers, RandomSchedules) {
  std::map<std::string_view, int> made_by, undefined;
  xredist::testing::Random random(81);
  for (int trial = 0; trial < (slow_build ? 60 : 600); ++trial) {
    const bool vector = trial % 2 == 0;
    const Overlap rows = vector ? drawn(random, 10, 300) : drawn(random, 4, 100);
    const Traffic t{rows, vector ? point : drawn(random, 4, 100)};
    const xredist::testing::Truth truth(t);
    for (const auto& list : {core::algorithms(), schedules()})
      for (const core::Algorithm& algorithm : list) {
        const auto schedule = algorithm.make(t, {2e-6, 8e-10}, {});
        if (!schedule) {
          ++undefined[algorithm.name];
          EXPECT_NE(why_undefined(algorithm.name, t), "") << algorithm.name << "\n" << described(t);
          continue;
        }
        ++made_by[algorithm.name];
        const auto ports =
            is_proper(algorithm.name) ? xredist::testing::Ports::one : xredist::testing::Ports::unlimited;
        ASSERT_EQ(xredist::testing::fault_in(t, truth, *schedule, ports), "") << algorithm.name << "\n" << described(t);
        EXPECT_TRUE(algorithm.name != "stepwise" || schedule->count == truth.steps()) << described(t);
        EXPECT_TRUE(algorithm.name != "greedy" || schedule->count < 2 * truth.steps()) << described(t);
      }
  }
  const int least = slow_build ? 3 : 30;
  for (const auto& list : {core::algorithms(), schedules()})
    for (const core::Algorithm& algorithm : list) EXPECT_GT(made_by[algorithm.name], least) << algorithm.name;
  for (const char* const name : {"by-class", "walker-otto"}) EXPECT_GT(undefined[name], least) << name;
}

}  // namespace
}  // namespace papers
