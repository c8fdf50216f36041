// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/channel.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "world.hpp"

namespace xredist::testing {
namespace {

// Returns whether exchanges `first` and `second` have the same tags where the tags of MPI_COMM_WORLD end at `bound`.
bool share_tags(int bound, Index first, Index second) {
  const int least = std::exchange(tag_bound, bound);
  World world(one_node(1), 1, {}, 0);
  tag_bound = least;
  bool share = false;
  world.run([&](const Process& process) {
    const Channel& channel = *process.channels.front();
    share = channel.tag(first, 1) == channel.tag(second, 1);
  });
  return share;
}

// A message takes one of 34 tags of its exchange, and tags begin at 10,002.
TEST(Channel, UsesAllTagsOfTheWorld) {
  EXPECT_TRUE(share_tags(32767, 0, 669));
  EXPECT_FALSE(share_tags(32767, 0, 668));
  EXPECT_FALSE(share_tags(32767 + 34, 0, 669));
  EXPECT_TRUE(share_tags(32767 + 34, 0, 670));
}

}  // namespace
}  // namespace xredist::testing
