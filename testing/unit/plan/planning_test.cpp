// SPDX-License-Identifier: BSD-3-Clause
// The work of one process that makes a plan, in basic blocks. Each limit is three times the count that GCC 12 gives
// without optimisation, because other compilers count other blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

#include "plan/plan.hpp"
#include "random/random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"
#include "work.hpp"

namespace xredist::core {
namespace {

using testing::line;
using testing::work_of;

constexpr long million = 1'000'000;

long work(const Traffic& traffic, Coord process) {
  std::size_t messages = 0;
  const long blocks = work_of([&] {
    const Schedule schedule = default_schedule(traffic, {1e-6, 1e-9});
    messages = sends_of(traffic, schedule, process).size() + receives_of(traffic, schedule, process).size();
  });
  EXPECT_GT(messages, 0u);
  std::printf("%ld blocks\n", blocks);
  return blocks;
}

TEST(Planning, OfAThousandProcesses) {
  const Overlap axis = line(1024, 3, 1024, 5, million), side = line(32, 3, 32, 5, 50'000);
  EXPECT_LT(work({axis, point}, {341, 0}), 160'000);
  EXPECT_LT(work({side, side}, {11, 17}), 560'000);
}

TEST(Planning, OfAMillionProcesses) {
  const Index n = 10 * million;
  const Overlap large = line(1000, 64, 1000, 36, n), small = line(1000, 3, 1000, 5, n),
                uneven = line(1000, 3, 999, 5, n);
  EXPECT_LT(work({large, large}, {333, 500}), 22 * million);
  EXPECT_LT(work({small, small}, {333, 500}), 21 * million);
  EXPECT_LT(work({small, uneven}, {333, 500}), 26 * million);
}

// A process of B holds nothing, so no process of A meets all of them.
TEST(Planning, OfABillionBlocks) {
  const Overlap rows = line(2, 1, 3, 500 * million, 1000 * million), cols = line(1, 1, 1, 1, 1);
  EXPECT_LT(work({rows, cols}, {1, 0}), 80'000);
  // The algorithm refuses before it visits the blocks.
  EXPECT_LT(work_of([&] { EXPECT_FALSE(find_algorithm("quantised")->make({rows, cols}, {1e-6, 1e-9}, {})); }), million);
}

// A vector moves between random intervals. The plan is made from the arrays of a caller.
TEST(Planning, OfAHundredThousandIntervals) {
  testing::Random random(51);
  constexpr std::size_t count = 100'000;
  std::vector<Index> cuts_a{0}, cuts_b{0};
  for (std::vector<Index>* cuts : {&cuts_a, &cuts_b})
    while (cuts->size() <= count) cuts->push_back(cuts->back() + random.below(20));
  const Index n = std::min(cuts_a.back(), cuts_b.back());
  for (const Index procs : {32, 1000}) {
    std::vector<int> owners_a(count), owners_b(count), ranks(as_size(procs));
    for (std::vector<int>* owners : {&owners_a, &owners_b})
      for (int& owner : *owners) owner = static_cast<int>(random.below(procs));
    std::iota(ranks.begin(), ranks.end(), 0);
    const long blocks = work_of([&] {
      const Layout a{testing::in_partition({1, procs, 0, 0}, cuts_a, owners_a), {1, 1, 0, 0}};
      const Layout b{testing::in_partition({1, procs, 0, 0}, cuts_b, owners_b), {1, 1, 0, 0}};
      const Plan plan = plan_process(redistribution_of(a, b, n, 1, {}, 8), ranks, ranks, 7, {}, {});
      EXPECT_GT(plan.peers.size(), 30u);
      EXPECT_FALSE(plan.a.runs.rows.empty());
    });
    std::printf("%ld blocks on %ld processes\n", blocks, static_cast<long>(procs));
    EXPECT_LT(blocks, procs == 32 ? 230 * million : 660 * million);
  }
}

// A plan of one to four messages between known grids: the work depends little on the number of processes.
struct FewMessages {
  Layout a, b;

  long work() const {
    const Index processes = a.rows.procs * a.cols.procs;
    std::vector<int> ranks(as_size(processes)), nodes;
    std::iota(ranks.begin(), ranks.end(), 0);
    for (Index rank = 0; rank < processes; ++rank) nodes.push_back(static_cast<int>(rank / 64));
    Links links;
    links.network = {8e-11, 2e-6};
    links.memory = {5e-11, 5e-7};
    links.nodes = nodes;
    const auto grids = std::make_shared<const GridPair>(ranks, a.cols.procs, ranks, b.cols.procs, links.nodes, 0);
    const long blocks = work_of([&] {
      const Plan plan = plan_process(redistribution_of(a, b, 100'000, 100'000, {}, 8), grids, {}, links);
      EXPECT_GT(plan.rounds.at(0).sends.size() + plan.rounds.at(0).copies.size(), 0u);
      EXPECT_LT(plan.rounds.at(0).sends.size(), 5u);
      EXPECT_LT(memory_of(plan), 6'000);
    });
    std::printf("%ld blocks on %ld processes\n", blocks, static_cast<long>(processes));
    return blocks;
  }
};

FewMessages change(Index a_rows, Index a_cols, Index b_rows, Index b_cols) {
  return {{{64, a_rows, 0, 0}, {64, a_cols, 0, 0}}, {{128, b_rows, 0, 0}, {128, b_cols, 0, 0}}};
}

TEST(Planning, OfFewMessagesHardlyDependsOnTheProcesses) {
  EXPECT_LT(change(256, 512, 128, 1024).work(), 3 * change(32, 32, 16, 64).work());
  EXPECT_LT(change(256, 512, 256, 512).work(), 3 * change(32, 32, 32, 32).work());
  EXPECT_LT(change(131'072, 1, 131'072, 1).work(), 3 * change(1024, 1, 1024, 1).work());
}

TEST(Planning, DoesNotDependOnTheMatrix) {
  const auto of = [](Index n) { return work({line(32, 3, 32, 5, n), line(32, 64, 32, 64, n)}, {11, 17}); };
  EXPECT_LT(of(1000 * million), 2 * of(100'000));
}

}  // namespace
}  // namespace xredist::core
