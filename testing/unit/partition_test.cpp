// SPDX-License-Identifier: BSD-3-Clause
#include "layout/partition.hpp"

#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "layout/overlap.hpp"
#include "layout/run_table.hpp"
#include "random_traffic.hpp"

namespace xredist::core {
namespace {

const std::vector<Index> slabs{0, 3, 3, 7, 8};

TEST(Partition, KeepNoEmptyIntervals) {
  const Partition partition(slabs, std::vector<int>{2, 1, 0, 2}, 4);
  ASSERT_EQ(partition.intervals().size(), 3u);
  EXPECT_EQ(partition[0], (OwnedInterval{{0, 3}, 0, 2}));
  EXPECT_EQ(partition[1], (OwnedInterval{{3, 7}, 0, 0}));
  EXPECT_EQ(partition[2], (OwnedInterval{{7, 8}, 3, 2}));
  EXPECT_EQ(partition.extent(), 8);
  EXPECT_TRUE(partition.numbers_of(1).empty());
  EXPECT_EQ(partition.numbers_of(2).size(), 2u);
}

TEST(Partition, JoinNeighboursOfOneOwner) {
  EXPECT_EQ(Partition(slabs, std::vector<int>{1, 0, 1, 0}, 2),
            Partition(std::vector<Index>{0, 7, 8}, std::vector<int>{1, 0}, 2));
}

TEST(Partition, WithoutOwnersBelongToProcessesInTurn) {
  EXPECT_EQ(Partition(slabs, {}, 4), Partition(slabs, std::vector<int>{0, 1, 2, 3}, 4));
}

TEST(Partition, AreWhatTheArraysSay) {
  testing::Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const Index procs = 1 + random.below(5);
    std::vector<Index> cuts{0};
    std::vector<int> owners, owner_of;
    for (Index i = random.below(30); i > 0; --i) {
      const Index length = random.below(4);
      owners.push_back(static_cast<int>(random.below(procs)));
      owner_of.insert(owner_of.end(), as_size(length), owners.back());
      cuts.push_back(cuts.back() + length);
    }
    ASSERT_EQ(Partition::error_in(cuts, owners, procs), "");
    const Axis axis = testing::in_partition({1, procs, 0, 0}, cuts, owners);
    std::vector<Index> held(as_size(procs), 0);
    for (std::size_t k = 0; k < owner_of.size(); ++k) {
      const auto p = as_size(owner_of[k]);
      const auto element = static_cast<Index>(k);
      EXPECT_EQ(owner(axis, element), owner_of[k]);
      EXPECT_EQ(BlockScan(axis, element).local(element), held[p]);
      EXPECT_EQ(local_count(axis, owner_of[k], element), held[p]);
      ++held[p];
      EXPECT_EQ(local_count(axis, owner_of[k], element + 1), held[p]);
    }
    for (Index p = 0; p < procs; ++p) EXPECT_EQ(local_count(axis, p, cuts.back()), at(held, p));
  }
}

// Sizes exceed 32 bits. Blocks of one element within a long interval are counted, not walked.
TEST(Partition, HugeIntervals) {
  const Index n = Index{1} << 40;
  const std::vector<Index> cuts{0, 5, n / 3, n};
  const Axis axis = testing::in_partition({1, 3, 0, 0}, cuts, {2, 0, 1});
  const Overlap o = Overlap(axis, {1, 7, 0, 0}, n);
  Index sum = 0;
  for (const Partner& partner : partners(o, 1)) sum += partner.length;
  EXPECT_EQ(sum, n - n / 3);
  EXPECT_EQ(partners(reversed(o), 3).size(), 3u);
  EXPECT_EQ(shares(o).size(), 7u + 7 + 5);
  EXPECT_TRUE(RunTable(o, 1, true).empty());
  const xredist::core::Run run = Runs(o, 1, 4, n - 30).next(10);
  EXPECT_TRUE(run.length == 1 && run.k >= n - 30 && owner(o.b, run.k) == 4);
  EXPECT_EQ(run.a, run.k - n / 3);
  EXPECT_EQ(run.b, run.k / 7);
  Axis late = axis;
  late.first = n - 100;
  const xredist::core::Run last = Runs(Overlap(late, {1, 7, 0, 0}, 100), 1, 98 % 7, 98).next(10);
  EXPECT_TRUE(last.k == 98 && last.length == 1 && last.a == n - 2 - n / 3 && last.b == 98 / 7);
}

}  // namespace
}  // namespace xredist::core
