// SPDX-License-Identifier: BSD-3-Clause
// Tables of runs in special cases. packer_test moves elements by tables of sender and receiver.
#include "layout/run_table.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "brute_force.hpp"
#include "random_traffic.hpp"

namespace xredist::core {
namespace {

// Elements that are contiguous in both local arrays are one run, whatever lies between them in the matrix.
TEST(RunTable, JoinsRunsOfIntervals) {
  testing::Random random(32);
  Index joined = 0;
  for (int trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    const Overlap o = random.partitioned_overlap(4, 12, 300);
    const Index p = random.below(o.a.procs), q = random.below(o.b.procs);
    if (!Runs(o, p, q).next(1).length || RunTable(o, p, true).empty()) continue;
    const RunTable apart(o, p, true), together(o, p, true, true);
    const RunTable::Pair all = apart.pair(q), some = together.pair(q);
    ASSERT_EQ(all.elements(), some.elements());
    TableRuns one(all, 0), other(some, 0);
    for (Index left = all.elements(); left > 0; --left) {
      const xredist::core::Run x = one.next(1), y = other.next(1);
      ASSERT_EQ(std::pair(x.a, x.b), std::pair(y.a, y.b));
    }
    for (std::size_t e = 1; e < some.entries.size(); ++e) {
      const auto &last = some.entries[e - 1], &next = some.entries[e];
      EXPECT_FALSE(last.a + last.length == next.a && last.b + last.length == next.b);
    }
    joined += std::ssize(all.entries) - std::ssize(some.entries);
  }
  EXPECT_GT(joined, 100);
}

// A process that keeps its elements copies them as one run, even if each interval has one element.
TEST(RunTable, IdenticalIntervalsAreOneRun) {
  testing::Random random(33);
  std::vector<Index> cuts(10'001);
  std::iota(cuts.begin(), cuts.end(), 0);
  std::vector<int> owners(10'000);
  for (int& owner : owners) owner = static_cast<int>(random.below(3));
  const Axis axis = testing::in_partition({1, 3, 0, 0}, cuts, owners);
  const Overlap o = Overlap(axis, axis, 10'000);
  for (Index p = 0; p < 3; ++p) EXPECT_EQ(RunTable(o, p, true, true).pair(p).entries.size(), 1u);
}

// With 10^12 periods, finding the last element takes no longer than finding the first.
TEST(RunTable, IsOfOnePeriod) {
  const Overlap o = Overlap({3, 2, 0, 0}, {5, 3, 0, 0}, 30'000'000'000'000);
  const RunTable table(o, 1, true);
  const RunTable::Pair pair = table.pair(2);
  EXPECT_EQ(pair.period, 30);
  EXPECT_EQ(pair.step_a, 15);
  EXPECT_EQ(pair.step_b, 10);
  EXPECT_EQ(pair.elements(), 5);
  const auto last = TableRuns(pair, 5'000'000'000'000 - 1).next(9);
  EXPECT_EQ(last.k, 30'000'000'000'000 - 1);
  EXPECT_EQ(last.length, 1);
  EXPECT_EQ(last.a, testing::local_index(o.a, last.k));
  EXPECT_EQ(last.b, testing::local_index(o.b, last.k));
}

// Local indices in blocks of 2^33 elements need more than 32 bits.
TEST(RunTable, HasRunsOfLongBlocks) {
  const Index block = Index{1} << 33;
  const Overlap o = Overlap({block, 2, 0, block - 5}, {3, 2, 0, 0}, 100);
  for (const Index p : {0, 1})
    for (const Partner& partner : partners(o, p)) {
      const RunTable sends(o, p, true), receives(o, partner.peer, false);
      Runs runs(o, p, partner.peer);
      TableRuns sent(sends.pair(partner.peer), 0), received(receives.pair(p), 0);
      for (Index left = partner.length; left > 0; --left) {
        const xredist::core::Run run = runs.next(1);
        for (TableRuns* tabulated : {&sent, &received}) {
          const xredist::core::Run found = tabulated->next(1);
          ASSERT_EQ(std::tuple(found.k, found.a, found.b), std::tuple(run.k, run.a, run.b));
        }
      }
    }
}

TEST(RunTable, StaysEmptyIfThereAreTooManyRuns) {
  EXPECT_TRUE(RunTable(Overlap({Index{1} << 33, 2, 0, 0}, {3, 2, 0, 0}, Index{1} << 33), 0, true).empty());
  EXPECT_TRUE(RunTable(Overlap({4099, 1000, 0, 0}, {1, 7, 0, 0}, 1'000'000'000), 0, true).empty());
  EXPECT_TRUE(RunTable(Overlap({8, 1, 0, 0}, {8, 1, 0, 0}, 100), 0, true).empty());  // a single run
}

}  // namespace
}  // namespace xredist::core
