// SPDX-License-Identifier: BSD-3-Clause
#include "layout/axis.hpp"

#include <gtest/gtest.h>

#include "brute_force.hpp"
#include "random_traffic.hpp"

namespace xredist::core {
namespace {

TEST(Axis, LocalCountIsWhatOwnersHold) {
  for (Index block : {1, 2, 3, 7, 100})
    for (Index procs : {1, 2, 3, 5})
      for (Index source = 0; source < procs; ++source)
        for (Index n : {0, 1, 6, 29, 100}) {
          const Axis axis{block, procs, source, 0};
          std::vector<Index> held(as_size(procs), 0);
          for (Index k = 0; k < n; ++k) {
            EXPECT_EQ(owner(axis, k), testing::holder(axis, k));
            ++at(held, owner(axis, k));
          }
          for (Index p = 0; p < procs; ++p)
            EXPECT_EQ(local_count(axis, p, n), at(held, p))
                << "block " << block << " procs " << procs << " source " << source << " n " << n << " p " << p;
        }
}

TEST(Axis, BlockWalkSkipsToTheBlockThatReachesBeyond) {
  testing::Random random(4);
  for (int trial = 0; trial < 2000; ++trial) {
    const Overlap o = random.any_overlap(6, 9, 200);
    const Index p = random.below(o.a.procs), k = random.below(o.n);
    BlockWalk skipped(o.a, p, 0), stepped(o.a, p, 0);
    if (skipped.end() > k) continue;
    skipped.skip(k);
    while (stepped.end() <= k) stepped.step();
    EXPECT_EQ(skipped.start(), stepped.start()) << testing::described(o.a) << " " << p << " " << k;
  }
}

// Block size times processes exceeds 32 bits.
TEST(Axis, HugeBlocks) {
  const Axis axis{2'000'000'000, 1000, 999, 2'100'000'000};
  EXPECT_EQ(owner(axis, 0), 0);
  EXPECT_EQ(BlockWalk(axis, 0, 0).local(0), 100'000'000);
  EXPECT_EQ(local_count(axis, 999, 2'147'483'647), 2'000'000'000);
}

}  // namespace
}  // namespace xredist::core
