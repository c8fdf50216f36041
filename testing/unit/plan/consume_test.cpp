// SPDX-License-Identifier: BSD-3-Clause
// The panels of executions that consume A: each case is at a limit that one constant sets.
#include "plan/consume.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace xredist::core {
namespace {

// Returns the plan of process 0 for an m x n matrix of doubles from two blocks of rows to two blocks of columns.
Plan plan_of(Index m, Index n) {
  const Layout rows{{(m + 1) / 2, 2, 0, 0}, {n, 1, 0, 0}}, cols{{m, 1, 0, 0}, {(n + 1) / 2, 2, 0, 0}};
  const std::vector<int> ranks{0, 1};
  return plan_process(redistribution_of(rows, cols, m, n, {}, 8), ranks, ranks, 0, {}, {});
}

// A process has 512 KB in a panel at least, and a message 64 KB.
TEST(Consume, PanelsAreLarge) {
  EXPECT_EQ(panels_to_consume(plan_of(512, 256)), 1);
  EXPECT_EQ(panels_to_consume(plan_of(512, 512)), 2);
  EXPECT_EQ(panels_to_consume(plan_of(1024, 2048)), 16);
  EXPECT_EQ(panels_to_consume(plan_of(8192, 8192)), 16);
}

// Each of 16 processes has a message for each: 256 KB, which is four panels.
TEST(Consume, MessagesAreLong) {
  const Layout rows{{128, 16, 0, 0}, {4096, 1, 0, 0}}, cols{{2048, 1, 0, 0}, {256, 16, 0, 0}};
  std::vector<int> ranks(16);
  std::iota(ranks.begin(), ranks.end(), 0);
  const Plan plan = plan_process(redistribution_of(rows, cols, 2048, 4096, {}, 8), ranks, ranks, 0, {}, {});
  EXPECT_EQ(panels_to_consume(plan), 4);
}

// From 64 lines on, panels are whole lines. Shorter lines than 256 KB are whole, too.
TEST(Consume, FewLongLinesAreCut) {
  EXPECT_TRUE(cuts_lines(plan_of(65'536, 63).redistribution));
  EXPECT_FALSE(cuts_lines(plan_of(65'536, 64).redistribution));
  EXPECT_FALSE(cuts_lines(plan_of(65'534, 63).redistribution));
}

// Before a panel of B, that part of A is there.
TEST(Consume, PeakIsOnePanelMore) {
  const Index part = Index{8192} * 8192 * 8 / 2;
  EXPECT_EQ(peak_bytes(plan_of(8192, 8192)), part + part / 16);
  EXPECT_EQ(peak_bytes(plan_of(512, 256)), Index{2} * 512 * 256 * 8 / 2);
}

TEST(Consume, PanelsAreTheWholeTransfer) {
  const Plan plan = plan_of(1024, 2048);
  Index elements = 0, end = 0;
  for (Index panel = 0; panel < 16; ++panel) {
    Transfer part = plan.rounds.front().sends.front();
    cut_to_consume(plan.redistribution, part, panel, 16);
    EXPECT_EQ(part.cols.begin, end);
    end = part.cols.end;
    elements += part.elements();
  }
  EXPECT_EQ(elements, plan.rounds.front().sends.front().elements());
}

}  // namespace
}  // namespace xredist::core
