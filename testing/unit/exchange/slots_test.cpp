// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/slots.hpp"

#include <gtest/gtest.h>

#include "random/random_batch.hpp"

namespace xredist::core {
namespace {

// A process that sends one packet of `bytes` to each of three others.
struct ThreePackets {
  ThreePackets(Index bytes, Index window) : plan(plan_of(bytes / 8)) {
    assign(batch, std::vector<Job>{{.plan = &plan, .a = {}, .b = {}}});
    batch.window = window;
  }
  static Plan plan_of(Index rows) {
    const Layout one{{rows, 1, 0, 0}, {3, 1, 0, 0}}, columns{{rows, 1, 0, 0}, {1, 3, 0, 0}};
    const std::vector<int> sender{0}, receivers{1, 2, 3};
    return plan_process(redistribution_of(one, columns, rows, 3, {}, 8), sender, receivers, 0, {}, {});
  }
  std::span<const Transfer> sends() const { return plan.rounds.front().sends; }

  Plan plan;
  Batch batch;
};

TEST(Slots, LoadOnePacketEach) {
  const ThreePackets packets(800, 0);
  Slots slots;
  slots.open(packets.batch, packets.sends(), TransferList::sends, 2);
  EXPECT_TRUE(slots.load(0));
  EXPECT_TRUE(slots.load(1));
  EXPECT_NE(slots[0].packet.peer, slots[1].packet.peer);
  EXPECT_TRUE(slots.has(0));
  EXPECT_TRUE(slots.load(0));
  EXPECT_FALSE(slots.load(1));
  EXPECT_EQ(slots[1].state, SlotState::free);
  EXPECT_FALSE(slots.has(1));
}

TEST(Slots, AdmitInOrderAsManyAsTheWindowHolds) {
  const ThreePackets packets(800, 1700);
  Slots slots;
  slots.open(packets.batch, packets.sends(), TransferList::sends, 3);
  for (std::size_t slot = 0; slot < 3; ++slot) {
    slots.load(slot);
    slots.queue(slot);
  }
  slots[1].state = slots[2].state = SlotState::permitted;
  EXPECT_EQ(slots.admit(SlotState::permitted), std::nullopt) << "the first one has no permit";
  slots[0].state = SlotState::permitted;
  EXPECT_EQ(slots.admit(SlotState::permitted), 0);
  EXPECT_EQ(slots.admit(SlotState::permitted), 1);
  EXPECT_EQ(slots.admit(SlotState::permitted), std::nullopt) << "the window is full";
  EXPECT_EQ(slots[1].state, SlotState::moving);
  slots.leave_window(1);
  EXPECT_EQ(slots.admit(SlotState::permitted), 2);
  EXPECT_EQ(slots.admit(SlotState::permitted), std::nullopt) << "none is left";
}

TEST(Slots, StartWithAnEmptyWindow) {
  const ThreePackets packets(800, 800);
  Slots slots;
  for (int round = 0; round < 3; ++round) {
    slots.open(packets.batch, packets.sends(), TransferList::sends, 1);
    slots.load(0);
    slots.queue(0);
    EXPECT_EQ(slots.admit(SlotState::waiting), 0);
  }
}

}  // namespace
}  // namespace xredist::core
