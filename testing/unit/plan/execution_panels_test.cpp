// SPDX-License-Identifier: BSD-3-Clause
// The panels of executions: each case is at a limit that one constant sets.
#include "plan/execution_panels.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <vector>

#include "plan/batch.hpp"

namespace xredist::core {
namespace {

// Returns the plan of process 0 for an m x n matrix of doubles from two blocks of rows to two blocks of columns.
Plan plan_of(Index m, Index n, Index page_bytes = 4096) {
  const Layout rows{{(m + 1) / 2, 2, 0, 0}, {n, 1, 0, 0}}, cols{{m, 1, 0, 0}, {(n + 1) / 2, 2, 0, 0}};
  const std::vector<int> ranks{0, 1};
  Links links;
  links.page_bytes = page_bytes;
  return plan_process(redistribution_of(rows, cols, m, n, {}, 8), ranks, ranks, 0, {}, links);
}

// Returns the redistribution of n x n doubles between square blocks on grids of `procs` x `procs`.
Redistribution blocks_to_blocks(Index n, Index from, Index to, Index procs = 2) {
  const Layout a{{from, procs, 0, 0}, {from, procs, 0, 0}}, b{{to, procs, 0, 0}, {to, procs, 0, 0}};
  return redistribution_of(a, b, n, n, {}, 8);
}

// Returns links between processes on these nodes.
Links links_of(const std::vector<int>& nodes) {
  Links links;
  links.nodes = nodes;
  return links;
}

const Links one_node = links_of({0, 0, 0, 0});

// A process has 512 KB in a panel at least.
TEST(Consume, PanelsAreLarge) {
  EXPECT_EQ(panels_to_consume(plan_of(512, 256)), 1);
  EXPECT_EQ(panels_to_consume(plan_of(512, 512)), 2);
  EXPECT_EQ(panels_to_consume(plan_of(1024, 2048)), 16);
  EXPECT_EQ(panels_to_consume(plan_of(8192, 8192)), 16);
}

// Each of 16 processes has a message for each: 256 KB, which is eight panels.
TEST(Consume, MessagesAreLong) {
  const Layout rows{{128, 16, 0, 0}, {4096, 1, 0, 0}}, cols{{2048, 1, 0, 0}, {256, 16, 0, 0}};
  std::vector<int> ranks(16);
  std::iota(ranks.begin(), ranks.end(), 0);
  const Plan plan = plan_process(redistribution_of(rows, cols, 2048, 4096, {}, 8), ranks, ranks, 0, {}, {});
  EXPECT_EQ(panels_to_consume(plan), 8);
}

// From four panels of 512 KB on.
TEST(Panels, AreThoseThatFillTheCaches) {
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(1023, 7, 5), one_node), 1);
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(1024, 7, 5), one_node), 4);
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(8192, 7, 5), one_node), 256);
}

// Each of 64 processes has 8 MB, in 49 messages.
TEST(Panels, HaveLongMessages) { EXPECT_EQ(panels_for_caches(blocks_to_blocks(8192, 3, 5, 8), one_node), 5); }

// Each of 16 processes has 16 messages with runs of 219 bytes: of 2 MB, and of 288 KB.
TEST(Panels, HaveManyRuns) {
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(8192, 64, 48, 4), one_node), 19);
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(3072, 64, 48, 4), one_node), 1);
}

// 32 doubles are 256 bytes.
TEST(Panels, AreForShortRuns) {
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(1 << 14, 63, 65), one_node), 1024);
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(1 << 14, 66, 67), one_node), 1);
}

TEST(Panels, AreForSeveralMessagesWithinANode) {
  const Layout one{{7, 1, 0, 0}, {7, 1, 0, 0}};
  EXPECT_EQ(panels_for_caches(redistribution_of(one, one, 60, 1 << 20, {}, 8), one_node), 1);
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(8192, 7, 5), links_of({0, 0, 0, 1})), 1);
  EXPECT_EQ(panels_for_caches(blocks_to_blocks(8192, 7, 5), Links{}), 1);
}

// Each of four processes sends one message, and one process receives four. Of two columns of processes, each sends
// whole columns.
TEST(Panels, AreForGathers) {
  const Layout one{{64, 1, 0, 0}, {64, 1, 0, 0}};
  const auto gathered = [&](int nprow, int npcol) {
    return redistribution_of({{7, nprow, 0, 0}, {7, npcol, 0, 0}}, one, 8192, 8192, {}, 8);
  };
  EXPECT_EQ(panels_for_caches(gathered(2, 2), one_node), 256);
  EXPECT_EQ(panels_for_caches(gathered(4, 1), one_node), 256);
  EXPECT_EQ(panels_for_caches(gathered(1, 4), one_node), 1);
}

// Blocks of 7 rows on both sides: a process sends each of its columns to one process. Columns of a transposed A have
// parts of several messages.
TEST(Panels, AreForColumnsInSeveralMessages) {
  Redistribution redistribution =
      redistribution_of({{7, 2, 0, 0}, {7, 2, 0, 0}}, {{7, 2, 0, 0}, {5, 2, 0, 0}}, 8192, 8192, {}, 8);
  EXPECT_EQ(panels_for_caches(redistribution, one_node), 1);
  redistribution.operation.transposed = true;
  EXPECT_EQ(panels_for_caches(redistribution, one_node), 128);
  EXPECT_EQ(
      panels_for_caches(
          redistribution_of({{7, 2, 0, 0}, {7, 2, 0, 0}}, {{7, 2, 1, 0}, {5, 2, 0, 0}}, 8192, 8192, {}, 8), one_node),
      256);
}

// 63 lines of 8 MB are cut, 64 are not.
TEST(Panels, HaveWholeColumns) {
  const auto narrow = [](Index n) {
    return redistribution_of({{7, 2, 0, 0}, {n, 1, 0, 0}}, {{5, 2, 0, 0}, {n, 1, 0, 0}}, 1 << 21, n, {}, 8);
  };
  EXPECT_EQ(panels_for_caches(narrow(64), one_node), 64);
  EXPECT_EQ(panels_for_caches(narrow(63), one_node), 1008);
  const Layout blocks{{4, 1, 0, 0}, {7, 2, 0, 0}}, others{{4, 1, 0, 0}, {5, 2, 0, 0}};
  EXPECT_EQ(panels_for_caches(redistribution_of(blocks, others, 4, 1 << 22, {}, 8), one_node), 1);
}

// Each process has 8192 rows of the transposed matrix: 256 pieces of 256 bytes.
TEST(Panels, OfTransposedMatricesHaveLongPieces) {
  Redistribution redistribution = blocks_to_blocks(1 << 14, 7, 5);
  EXPECT_EQ(panels_for_caches(redistribution, one_node), 1024);
  redistribution.operation.transposed = true;
  EXPECT_EQ(panels_for_caches(redistribution, one_node), 256);
}

// An execution that consumes A has the panels of the plan at least, and a batch only those that its jobs ask for.
TEST(Panels, AreThoseOfAJobByItself) {
  const std::vector<int> ranks{0, 1, 2, 3};
  const Plan plan = plan_process(blocks_to_blocks(4096, 7, 5), ranks, ranks, 0, {}, one_node);
  EXPECT_EQ(plan.panels, 64);
  EXPECT_EQ(panels_to_consume(plan), 64);
  Batch batch;
  const Job job{.plan = &plan, .a = {}, .b = {}};
  assign(batch, std::vector<Job>(1, job));
  EXPECT_EQ(batch.rounds, 64);
  EXPECT_FALSE(is_as_planned(batch));
  assign(batch, std::vector<Job>(2, job));
  EXPECT_EQ(batch.rounds, 1);
}

// The messages of a forwarder have panels of their own.
TEST(Panels, AreForDirectMessages) {
  Options options;
  ASSERT_EQ(set_option(options, "route", "2"), "");
  const std::vector<int> ranks{0, 1, 2, 3};
  EXPECT_EQ(plan_process(blocks_to_blocks(4096, 7, 5), ranks, ranks, 0, options, one_node).panels, 1);
}

// If A and B are one array, all that stays on the process is copied before anything is received.
TEST(Panels, OfOneArrayCopyAtOnce) {
  const std::vector<int> ranks{0, 1, 2, 3};
  const Index n = 56;  // on each process
  const Plan plan = plan_process(blocks_to_blocks(2 * n, 7, 7), ranks, ranks, 0, {}, {});
  std::vector<double> a(as_size(n * n)), b(a.size());
  const auto bytes = [](std::vector<double>& array) { return reinterpret_cast<std::byte*>(array.data()); };
  for (const bool same : {false, true}) {
    Batch batch;
    const Job job{.plan = &plan, .a = {bytes(a), n}, .b = {bytes(same ? a : b), n}, .panels = 5};
    assign(batch, std::span(&job, 1));
    Index elements = 0;
    for (Index number = 0; number < batch.rounds; ++number) {
      Round round;
      merge_round(batch, number, round);
      for (const Transfer& copy : round.copies) elements += copy.elements();
      EXPECT_EQ(round.copies.empty(), same && number > 0);
    }
    EXPECT_EQ(elements, plan.rounds.front().copies.front().elements());
  }
}

// From 64 lines on, panels are whole lines. Shorter lines than 256 KB are whole, too.
TEST(Consume, FewLongLinesAreCut) {
  EXPECT_TRUE(cuts_lines(plan_of(65'536, 63)));
  EXPECT_FALSE(cuts_lines(plan_of(65'536, 64)));
  EXPECT_FALSE(cuts_lines(plan_of(65'534, 63)));
}

// With pages of 64 KB, lines of 4 MB are.
TEST(Consume, LinesAreCutIntoSeveralPages) {
  constexpr Index page = Index{64} << 10;
  EXPECT_FALSE(cuts_lines(plan_of(65'536, 63, page)));
  EXPECT_TRUE(cuts_lines(plan_of(16 * 65'536, 63, page)));
  EXPECT_FALSE(cuts_lines(plan_of(16 * 65'534, 63, page)));
}

// A panel of cut lines touches two pages in each column of B, of whatever size.
TEST(Consume, PeakCountsPagesOfB) {
  const Index m = 1 << 20, n = 20, part = m * n * 8 / 2;
  for (const Index page : {4096, 65'536})
    EXPECT_EQ(peak_bytes(plan_of(m, n, page)), part + part / 16 + 2 * (n / 2) * page) << page;
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
    cut_to_panel(plan, part, panel, 16);
    EXPECT_EQ(part.cols.begin, end);
    end = part.cols.end;
    elements += part.elements();
  }
  EXPECT_EQ(elements, plan.rounds.front().sends.front().elements());
}

}  // namespace
}  // namespace xredist::core
