// SPDX-License-Identifier: BSD-3-Clause
#include "layout/overlap.hpp"

#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "random_traffic.hpp"

namespace xredist::core {
namespace {

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

TEST(Overlap, SharesAreTheVolumesOfBothSides) {
  testing::Random random(2);
  Index shared = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Overlap o = random.any_overlap(6, 12, 300);
    const testing::Volumes volumes = testing::volumes(o);
    const auto check = [&](const Overlap& side, auto volume) {
      for (Index p = 0; p < side.a.procs; ++p) {
        Index last = -1, count = 0;
        for (const Partner& share : partners(side, p)) {
          EXPECT_GT(share.peer, last);
          EXPECT_EQ(share.length, volume(p, share.peer));
          EXPECT_GT(share.length, 0);
          last = share.peer;
          ++count;
          shared += share.length;
        }
        for (Index q = 0; q < side.b.procs; ++q) count -= volume(p, q) > 0;
        EXPECT_EQ(count, 0);
      }
    };
    check(o, [&](Index p, Index q) { return volumes(p, q); });
    check(reversed(o), [&](Index q, Index p) { return volumes(p, q); });
  }
  EXPECT_GT(shared, 0);
}

// The period has 99 elements, so finding the shares of 10^15 elements takes no longer.
TEST(Overlap, SharesDoNotWalkTheMatrix) {
  const Overlap o = Overlap({3, 3, 0, 0}, {1, 11, 0, 0}, 990'000'000'000'099);
  Index total = 0;
  for (const Partner& share : partners(o, 1)) total += share.length;
  EXPECT_EQ(total, 330'000'000'000'033);
}

TEST(Runs, CoverExactlyWhatThePairShares) {
  testing::Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const Overlap o = random.any_overlap(5, 12, 300);
    const Index p = random.below(o.a.procs), q = random.below(o.b.procs), from = random.below(o.n);
    Runs runs(o, p, q, from);
    Index k = from;
    const auto nobody_until = [&](Index end) {
      for (; k < end; ++k) ASSERT_FALSE(owner(o.a, k) == p && owner(o.b, k) == q) << "left out " << k;
    };
    for (;;) {
      const Index most = 1 + random.below(9);
      const xredist::core::Run run = runs.next(most);
      if (run.length == 0) break;
      ASSERT_LE(run.length, most);
      nobody_until(run.k);
      for (; k < run.k + run.length; ++k) {
        ASSERT_TRUE(owner(o.a, k) == p && owner(o.b, k) == q);
        ASSERT_EQ(run.a + (k - run.k), testing::local_index(o.a, k));
        ASSERT_EQ(run.b + (k - run.k), testing::local_index(o.b, k));
      }
    }
    nobody_until(o.n);
  }
}

}  // namespace
}  // namespace xredist::core
