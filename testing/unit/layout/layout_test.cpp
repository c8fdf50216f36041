// SPDX-License-Identifier: BSD-3-Clause
// Axes, overlaps, partitions and tables of runs in special cases. Others are in packer_test and random_schedules_test.
#include "layout/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "layout/listed.hpp"
#include "layout/overlap.hpp"
#include "layout/partition.hpp"
#include "layout/run_table.hpp"
#include "random/random_traffic.hpp"

namespace xredist::core {
namespace {

// Block size times processes exceeds 32 bits.
TEST(Axis, HugeBlocks) {
  const Axis axis{2'000'000'000, 1000, 999, 2'100'000'000};
  EXPECT_EQ(owner(axis, 0), 0);
  EXPECT_EQ(BlockWalk(axis, 0, 0).local(0), 100'000'000);
  EXPECT_EQ(local_count(axis, 999, 2'147'483'647), 2'000'000'000);
}

// Each part of an element is where the element is.
TEST(Axis, Subdivided) {
  const auto partition =
      std::make_shared<const Partition>(std::vector<Index>{0, 3, 3, 7, 8, 12}, std::vector<int>{2, 1, 0, 2, 1}, 3);
  for (const Axis& axis : {Axis{4, 3, 2, 5}, Axis{partition, 2}})
    for (const Index parts : {1, 3, 4}) {
      const Axis cut = subdivided(axis, parts);
      for (Index k = 0; k < 10 * parts; ++k) EXPECT_EQ(owner(cut, k), owner(axis, k / parts));
      for (Index p = 0; p < 3; ++p) EXPECT_EQ(local_count(cut, p, 11 * parts), parts * local_count(axis, p, 11));
      EXPECT_EQ(cut == axis, parts == 1);
    }
  EXPECT_EQ(subdivided({max_elements, 2, 1, 0}, 3).block(), max_elements / 3 * 3);
}

// The lists of all processes are what owner() says element by element, for any number of elements. Nothing is written
// beyond them.
TEST(Axis, ListsTheElementsOfEachProcess) {
  const auto partition =
      std::make_shared<const Partition>(std::vector<Index>{0, 3, 3, 7, 8, 12}, std::vector<int>{2, 1, 0, 2, 0}, 4);
  for (const Axis& axis : {Axis{4, 3, 2, 0}, Axis{1, 4, 1, 0}, Axis{20, 3, 1, 0}, Axis{partition, 0}})
    for (Index n = 0; n <= 12; ++n)
      for (Index p = 0; p < axis.procs; ++p) {
        std::vector<Index> expected, held(13, -1);
        for (Index k = 0; k < n; ++k)
          if (owner(axis, k) == p) expected.push_back(5 + k);
        expected.resize(13, -1);
        list_elements(axis, p, n, 5, held.data());
        EXPECT_EQ(held, expected) << n << " elements, process " << p;
      }
}

// Block size times processes exceeds 64 bits.
TEST(Axis, ListsElementsOfHugeBlocks) {
  Index held[3] = {-1, -1, -1};
  list_elements({max_elements, std::numeric_limits<int>::max(), 6, 0}, 6, 2, 0, held);
  EXPECT_EQ(std::vector<Index>(held, held + 3), (std::vector<Index>{0, 1, -1}));
  list_elements({max_elements, std::numeric_limits<int>::max(), 6, 0}, 7, 2, 0, nullptr);
}

TEST(Overlap, PeriodIsTheLeastCommonMultipleOfTheCycles) {
  const Axis a{3, 16, 0, 0}, b{5, 16, 0, 0};
  EXPECT_EQ(period(Overlap(a, b, 1000)), 240);
  EXPECT_EQ(period(Overlap(a, b, 240)), 240);
  EXPECT_EQ(period(Overlap(a, b, 239)), 240);  // n + 1: shorter than a period
  EXPECT_EQ(period(Overlap({7, 1, 0, 0}, b, 1000)), 80);
}

TEST(Overlap, PeriodsBeyond64BitsAreLongerThanTheMatrix) {
  const Axis a{2'147'483'647, 99'991, 0, 0}, b{2'147'483'629, 99'989, 0, 0};
  EXPECT_EQ(period(Overlap(a, b, 12345)), 12346);
}

// The period has 99 elements, so finding the shares of 10^15 elements takes no longer.
// A process of few blocks among many processes: its partners are those of the elements, and tables have runs of them
// alone. The table of a process without elements is empty.
TEST(Overlap, PartnersAndTablesOfManyProcesses) {
  testing::Random random(71);
  for (int trial = 0; trial < 200 && !HasFailure(); ++trial) {
    const Index P = 200 + random.below(2000), Q = 200 + random.below(2000), n = 1 + random.below(5000);
    const Axis a(1 + random.below(5), P, random.below(P), random.below(10'000));
    const Axis b(1 + random.below(5), Q, random.below(Q), random.below(10'000));
    const Overlap o(a, b, n);
    Index held = 0;
    for (Index p = 0; p < P; ++p) held = std::max(held, local_range(o.a, p, n).length());
    EXPECT_EQ(max_held(o), held);
    const Index p = trial % 2 == 0 ? owner(a, random.below(n)) : random.below(P);
    std::map<Index, Index> lengths;
    for (Index k = 0; k < n; ++k)
      if (owner(a, k) == p) ++lengths[owner(b, k)];
    std::map<Index, Index> found;
    const RunTable table(o, p, true);
    for (const auto& [peer, length] : partners(o, p)) {
      EXPECT_TRUE(found.empty() || found.rbegin()->first < peer);
      found[peer] = length;
      Index elements = 0;
      Runs runs(o, p, peer);
      for (TableRuns of_table(table.pair(peer), 0); elements < length;) {
        const core::Run run = of_table.next(n), expected = runs.next(n);
        ASSERT_EQ(std::tuple(run.k, run.length, run.a, run.b),
                  std::tuple(expected.k, expected.length, expected.a, expected.b));
        elements += run.length;
      }
    }
    EXPECT_EQ(found, lengths);
    EXPECT_EQ(table.empty(), lengths.empty());
    EXPECT_LE(table.bytes(), 48 * (10 + local_range(o.a, p, n).length()));
  }
}

TEST(Overlap, InAWholePeriod) {
  EXPECT_EQ(in_whole_period({{2, 3, 0, 0}, {5, 4, 0, 0}, 7}).value().n, 60);
  EXPECT_EQ(in_whole_period({{2, 3, 0, 0}, {5, 4, 0, 0}, 100}).value().n, 100);
  EXPECT_FALSE(in_whole_period({{max_elements, 3, 0, 0}, {max_elements - 1, 4, 0, 0}, 100}));
  EXPECT_FALSE(in_whole_period(
      {{std::make_shared<const Partition>(std::vector<Index>{0, 3, 7}, std::vector<int>{}, 2), 0}, {1, 1, 0, 0}, 7}));
}

TEST(Overlap, SharesDoNotWalkTheMatrix) {
  const Overlap o = Overlap({3, 3, 0, 0}, {1, 11, 0, 0}, 990'000'000'000'099);
  Index total = 0;
  for (const Partner& share : partners(o, 1)) total += share.length;
  EXPECT_EQ(total, 330'000'000'000'033);
}

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

// Process 2 stores elements 7, 0, 1, 2 in this order, after a gap of one; process 0 stores 3 to 6 from its third
// element on.
const std::vector<int> owners_of_slabs{2, 1, 0, 2};
const std::vector<Index> places_of_slabs{2, 0, 2, 1};

TEST(Partition, HavePlaces) {
  const Partition partition(slabs, owners_of_slabs, 4, places_of_slabs);
  EXPECT_EQ(partition[0], (OwnedInterval{{0, 3}, 2, 2}));
  EXPECT_EQ(partition[1], (OwnedInterval{{3, 7}, 2, 0}));
  EXPECT_EQ(partition[2], (OwnedInterval{{7, 8}, 1, 2}));
  EXPECT_FALSE(partition.in_order());
  EXPECT_EQ(partition.local_end(), 6);
  const Axis axis = testing::in_partition({1, 4, 0, 0}, slabs, owners_of_slabs, places_of_slabs);
  EXPECT_EQ(local_count(axis, 2, 8), 4);
  EXPECT_EQ(local_extent(axis, 2, 8), 5);
  EXPECT_EQ(local_extent(axis, 2, 2), 4);
  EXPECT_EQ(local_extent(axis, 1, 8), 0);
  EXPECT_EQ(local_range(axis, 2, 8), (Interval{1, 5}));
  EXPECT_EQ(local_range(axis, 2, 2), (Interval{2, 4}));
  EXPECT_EQ(local_range(axis, 1, 8), (Interval{0, 0}));
  Axis later = axis;
  later.first = 5;
  EXPECT_EQ(local_range(later, 0, 1), (Interval{4, 5}));
  EXPECT_EQ(local_range(later, 2, 3), (Interval{1, 2}));
  std::vector<Index> held(6, -1);
  list_elements(axis, 2, 8, 1, held.data());
  EXPECT_EQ(held, (std::vector<Index>{0, 8, 1, 2, 3, -1}));
}

// Neighbours of one owner that are not neighbours in its local array stay apart.
TEST(Partition, JoinNeighboursInTheLocalArray) {
  const std::vector<int> owners{1, 0, 1, 1};
  const Partition apart(slabs, owners, 2, std::vector<Index>{0, 0, 4, 3});
  EXPECT_EQ(apart.intervals().size(), 3u);
  const Partition joined(slabs, owners, 2, std::vector<Index>{0, 0, 3, 7});
  EXPECT_EQ(joined.intervals().size(), 1u);
  EXPECT_TRUE(joined.in_order());
  EXPECT_EQ(joined, Partition(slabs, owners, 2));
}

TEST(Partition, PlacesAreNotShared) {
  const auto error = [](std::vector<Index> places) {
    const auto found = Partition::error_in(slabs, std::vector<int>{2, 1, 0, 2}, 4, places);
    return found ? std::string(found->list) + std::to_string(found->entry) + std::string(found->reason.view()) +
                       std::to_string(found->other)
                 : "";
  };
  EXPECT_EQ(error(places_of_slabs), "");
  EXPECT_EQ(error({0, 0, 0, 3}), "");
  EXPECT_EQ(error({0, -1, 0, 3}), "places1 is -1, must be in 0 .. 2^40 less the interval's length-1");
  EXPECT_EQ(error({max_elements - 3, 0, 0, 3}), "");
  EXPECT_EQ(error({max_elements - 2, 0, 0, 3}),
            "places0 is " + std::to_string(max_elements - 2) + ", must be in 0 .. 2^40 less the interval's length-1");
  EXPECT_EQ(error({0, 0, 0, 2}), "places3 is 2: the interval has local elements of 0");
  EXPECT_EQ(error({4, 0, 0, 5}), "places3 is 5: the interval has local elements of 0");
}

TEST(Listed, NamesTheFirstRepeatedEntry) {
  const auto repeated = [](const std::vector<Index>& list) {
    const auto found = repeated_in(list);
    return found ? std::pair(found->first, found->second) : std::pair(Index{-1}, Index{-1});
  };
  const std::pair none(Index{-1}, Index{-1});
  EXPECT_EQ(repeated({}), none);
  EXPECT_EQ(repeated({3, 4, 5, 6}), none);
  EXPECT_EQ(repeated({3, 5, 4, 9, 0}), none);
  EXPECT_EQ(repeated({3, 5, 4, 9, 4, 3}), std::pair(Index{2}, Index{4}));
  const Index far = Index{1} << 39;  // sorted
  EXPECT_EQ(repeated({far, 5, 4, 9, 4, far, 9}), std::pair(Index{2}, Index{4}));
  EXPECT_EQ(repeated({far, 5, 4, 9, 2}), none);
}

TEST(Listed, NeighboursAreTheAxisItself) {
  const Axis axis{3, 2, 1, 5};
  EXPECT_EQ(listed(axis, std::vector<Index>{8, 9, 10}, 1, false), Axis(3, 2, 1, 7));
  EXPECT_EQ(listed(axis, {}, 1, false), Axis(3, 2, 1, 0));
}

// Blocks of 3 on 2 processes: process 0 stores 0 1 2 6 7 8 ..., process 1 stores 3 4 5 9 10 11 ...
TEST(Listed, NeighboursOnAnOwnerShareAnInterval) {
  const Axis axis = listed({3, 2, 0, 0}, std::vector<Index>{2, 6, 7, 3, 8, 2, 9, 10}, 0, true);
  const auto intervals = axis.partition()->intervals();
  const std::vector<OwnedInterval> expected{
      {{0, 3}, 2, 0}, {{3, 4}, 0, 1}, {{4, 5}, 5, 0}, {{5, 6}, 2, 0}, {{6, 8}, 3, 1}};
  EXPECT_EQ(std::vector<OwnedInterval>(intervals.begin(), intervals.end()), expected);
  EXPECT_TRUE(repeats(axis));
  EXPECT_FALSE(in_order(axis));
}

// Each entry has the owner and the place of its element in the axis, whatever the axis is.
TEST(Listed, HaveTheElementsOfTheAxis) {
  testing::Random random(61);
  for (int number = 0; number < 500; ++number) {
    Axis axis = testing::random_axis(random, 1 + random.below(5), 1 + random.below(7));
    axis.first = 0;
    if (random.below(2) == 0) axis = testing::random_partition(random, axis, 200);
    axis.first = 0;
    std::vector<Index> list = testing::random_list(random, 1 + random.below(99));
    if (random.below(2) == 0) at(list, random.below(std::ssize(list))) = list[0];
    const Axis by_list = listed(axis, list, 0, repeated_in(list).has_value());
    EXPECT_EQ(by_list.procs, axis.procs);
    for (Index k = 0; k < std::ssize(list); ++k) {
      const BlockScan expected(axis, at(list, k)), found(by_list, k);
      ASSERT_EQ(found.owner(), expected.owner()) << testing::described(axis) << ", entry " << k;
      ASSERT_EQ(found.local(k), expected.local(at(list, k))) << testing::described(axis) << ", entry " << k;
    }
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

// With long blocks on one side and short ones on the other. The limits cut series and runs.
TEST(Runs, OfSeriesAreThoseFoundOneByOne) {
  testing::Random random(31);
  Index joined = 0;
  for (int trial = 0; trial < 5000 && !HasFailure(); ++trial) {
    const Overlap o = any_overlap(random, 3, 1 + random.below(60), 400);
    const Index p = random.below(o.a.procs), q = random.below(o.b.procs), k = random.below(o.n);
    SCOPED_TRACE(testing::described(o) + " " + std::to_string(p) + " " + std::to_string(q) + " " + std::to_string(k));
    Runs runs(o, p, q, k), elements(o, p, q, k);
    for (;;) {
      const Index limit = 1 + random.below(100);
      const auto [first, count, step, step_a, step_b] = runs.next_series(limit);
      if (first.length == 0) break;
      ASSERT_LE(count * first.length, limit);
      joined += count - 1;
      for (Index i = 0; i < count; ++i)
        for (Index e = 0; e < first.length; ++e) {
          const xredist::core::Run one = elements.next(1);
          ASSERT_EQ(std::tuple(first.k + i * step + e, first.a + i * step_a + e, first.b + i * step_b + e),
                    std::tuple(one.k, one.a, one.b));
        }
    }
    EXPECT_EQ(elements.next(1).length, 0);
  }
  EXPECT_GT(joined, 9'000);
}

// Elements that are contiguous in both local arrays are one run, whatever lies between them in the matrix.
TEST(RunTable, JoinsRunsOfIntervals) {
  testing::Random random(32);
  Index joined = 0;
  for (int trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    const Overlap o = partitioned_overlap(random, 4, 12, 300);
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
  EXPECT_EQ(last.a, last.k / 6 * 3 + last.k % 3);
  EXPECT_EQ(last.b, last.k / 15 * 5 + last.k % 5);
}

// Local indices in blocks of 2^33 elements need more than 32 bits.
TEST(RunTable, HasRunsOfLongBlocks) {
  const Index block = Index{1} << 33;
  const Overlap o = Overlap({block, 2, 0, block - 45}, {block - 40, 2, 0, 0}, 100);
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

TEST(RunTable, StaysEmptyIfThereAreTooManyRunsOrLongSeries) {
  EXPECT_TRUE(RunTable(Overlap({Index{1} << 33, 2, 0, 0}, {3, 2, 0, 0}, Index{1} << 33), 0, true).empty());
  EXPECT_TRUE(RunTable(Overlap({4099, 1000, 0, 0}, {1, 7, 0, 0}, 1'000'000'000), 0, true).empty());
  EXPECT_TRUE(RunTable(Overlap({8, 1, 0, 0}, {8, 1, 0, 0}, 100), 0, true).empty());  // a single run
  EXPECT_TRUE(RunTable(Overlap({1, 2, 0, 0}, {256, 2, 0, 0}, 10'000), 0, true).empty());
  EXPECT_FALSE(RunTable(Overlap({1, 2, 0, 0}, {254, 2, 0, 0}, 10'000), 0, true).empty());
  EXPECT_TRUE(RunTable(Overlap({5, 2, 0, 0}, {769, 3, 0, 0}, 50'000), 0, true).empty());  // 2048 runs at most
  EXPECT_FALSE(RunTable(Overlap({5, 2, 0, 0}, {509, 3, 0, 0}, 50'000), 0, true).empty());
}

}  // namespace
}  // namespace xredist::core
