// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/start_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <thread>
#include <vector>

#include "random/random_call.hpp"

namespace xredist::core {
namespace {

using Started = StartOrder::Place;

// Two channels and two lanes.
constexpr std::array<char, 2> channels{};
const void* channel(std::size_t k) { return &channels[k]; }
std::thread::id lane(std::size_t k) { return k == 0 ? std::thread::id{} : std::this_thread::get_id(); }

std::set<Started*> set_of(const std::array<Started*, 2>& places) {
  std::set<Started*> set(places.begin(), places.end());
  set.erase(nullptr);
  return set;
}

TEST(StartOrder, BeginsOneOfALaneAfterTheOther) {
  StartOrder order;
  Started first, second, third;
  order.add(first, channel(0), lane(0));
  order.add(second, channel(1), lane(0));
  order.add(third, channel(1), lane(0));
  EXPECT_TRUE(StartOrder::may_begin(first));
  EXPECT_FALSE(StartOrder::may_begin(second) || StartOrder::may_begin(third));
  EXPECT_EQ(set_of(StartOrder::remove(first)), std::set<Started*>{&second});
  EXPECT_EQ(set_of(StartOrder::remove(second)), std::set<Started*>{&third});
  EXPECT_TRUE(set_of(StartOrder::remove(third)).empty());
}

TEST(StartOrder, BeginsOthersOfOtherChannelsAndLanes) {
  StartOrder order;
  Started first, same_channel, same_lane, other;
  order.add(first, channel(0), lane(0));
  order.add(other, channel(1), lane(1));
  order.add(same_channel, channel(0), lane(1));
  order.add(same_lane, channel(1), lane(0));
  EXPECT_TRUE(StartOrder::may_begin(first) && StartOrder::may_begin(other));
  EXPECT_FALSE(StartOrder::may_begin(same_channel) || StartOrder::may_begin(same_lane));
  EXPECT_TRUE(set_of(StartOrder::remove(first)).empty()) << "the others wait for `other`, too";
  EXPECT_EQ(set_of(StartOrder::remove(other)), (std::set<Started*>{&same_channel, &same_lane}));
}

// An exchange that has begun early may end before the first one.
TEST(StartOrder, RemovesFromTheMiddle) {
  StartOrder order;
  Started first, middle, last;
  for (Started* place : {&first, &middle, &last}) order.add(*place, channel(0), lane(0));
  EXPECT_EQ(set_of(StartOrder::remove(middle)), std::set<Started*>{&first});
  EXPECT_EQ(set_of(StartOrder::remove(first)), std::set<Started*>{&last});
}

TEST(StartOrder, KnowsTheFirstOfEachChannel) {
  StartOrder order;
  Started first, second, other;
  order.add(first, channel(0), lane(0));
  order.add(second, channel(0), lane(1));
  order.add(other, channel(1), lane(0));
  const auto firsts = [&] {
    std::set<const Started*> set;
    order.for_first_of_channels([&](const Started& place) { set.insert(&place); });
    return set;
  };
  EXPECT_EQ(firsts(), (std::set<const Started*>{&first, &other}));
  StartOrder::remove(first);
  StartOrder::remove(other);
  EXPECT_EQ(firsts(), (std::set<const Started*>{&second}));
  EXPECT_FALSE(order.is_idle(channel(0)));
  EXPECT_TRUE(order.is_idle(channel(1)));
  StartOrder::remove(second);
  order.forget(channel(0));
  EXPECT_TRUE(order.is_idle(channel(0)));
}

// Adds and removes at random, and compares with a list that is searched.
TEST(StartOrder, AgreesWithASearch) {
  struct Entry {
    Started place{};
    std::size_t channel, lane;
  };
  testing::Random random(7);
  StartOrder order;
  std::deque<Entry> entries;
  std::vector<Entry*> unfinished;  // in the order of their start
  const auto may_begin = [&](const Entry* entry) {
    const auto in_a_line = [&](const Entry* other) {
      return other->channel == entry->channel || other->lane == entry->lane;
    };
    return *std::ranges::find_if(unfinished, in_a_line) == entry;
  };
  for (int step = 0; step < 2000; ++step) {
    if (unfinished.empty() || random.below(20) < (step < 1000 ? 11 : 9)) {
      Entry& entry = entries.emplace_back();
      entry.channel = static_cast<std::size_t>(random.below(2)), entry.lane = static_cast<std::size_t>(random.below(2));
      order.add(entry.place, channel(entry.channel), lane(entry.lane));
      unfinished.push_back(&entry);
    } else {
      const auto chosen = unfinished.begin() + random.below(std::ssize(unfinished));
      const Entry* const removed = *chosen;
      unfinished.erase(chosen);
      std::set<Started*> expected;
      for (Entry* entry : unfinished)
        if ((entry->channel == removed->channel || entry->lane == removed->lane) && may_begin(entry))
          expected.insert(&entry->place);
      ASSERT_EQ(set_of(StartOrder::remove(removed->place)), expected) << step;
    }
    for (const Entry* entry : unfinished) ASSERT_EQ(StartOrder::may_begin(entry->place), may_begin(entry)) << step;
  }
}

}  // namespace
}  // namespace xredist::core
