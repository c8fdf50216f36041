// SPDX-License-Identifier: BSD-3-Clause
// The caterpillar of Prylli & Tourancheau 1996, which the library offers (XREDIST_ALGORITHM=caterpillar).
#include <gtest/gtest.h>

#include <set>

#include "examples.hpp"

namespace papers {
namespace {

using Pairs = std::set<std::set<Index>>;  // a set of one process exchanges with itself

// "At step d, each processor P_i exchanges its data with processor P_((P - i - d) mod P)."
Pairs pairs_of(Index processes, Index step) {
  const Traffic t = vector_of(processes, processes, 1, 1);
  const Schedule schedule = caterpillar_schedule(t);
  Pairs pairs;
  for (Index p = 0; p < processes; ++p)
    for (Index q = 0; q < processes; ++q)
      if (schedule.parts({p, 0}, {q, 0}).front().step == step) pairs.insert({p, q});
  return pairs;
}

TEST(PrylliTourancheau1996, Figure2EightProcesses) {
  EXPECT_EQ(pairs_of(8, 1), (Pairs{{0, 7}, {1, 6}, {2, 5}, {3, 4}}));
  EXPECT_EQ(pairs_of(8, 2), (Pairs{{0, 6}, {1, 5}, {2, 4}, {3}, {7}}));
}

// Step 2 is partly lost in the text of the figure.
TEST(PrylliTourancheau1996, Figure2SevenProcesses) {
  EXPECT_EQ(pairs_of(7, 1), (Pairs{{0, 6}, {1, 5}, {2, 4}, {3}}));
  EXPECT_EQ(pairs_of(7, 2), (Pairs{{0, 5}, {1, 4}, {2, 3}, {6}}));
  EXPECT_EQ(pairs_of(7, 3), (Pairs{{5, 6}, {0, 4}, {1, 3}, {2}}));
}

// All pairs meet in P steps.
TEST(PrylliTourancheau1996, EachPairMeetsOnce) {
  for (Index P = 1; P <= 12; ++P) {
    Pairs met;
    for (Index step = 0; step < P; ++step)
      for (const auto& pair : pairs_of(P, step)) EXPECT_TRUE(met.insert(pair).second);
    EXPECT_EQ(std::ssize(met), P * (P + 1) / 2);
  }
}

}  // namespace
}  // namespace papers
