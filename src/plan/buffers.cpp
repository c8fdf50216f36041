// SPDX-License-Identifier: BSD-3-Clause
#include "plan/buffers.hpp"

#include <algorithm>

namespace xredist::core {

Placement::Place Placement::add(const Plan& plan, Index rounds) {
  limits_ = common(limits_, plan.limits);
  packets_ += plan.max_packets;
  longest_packet_ = std::max<Index>(plan.longest_packet, 1);
  only_messages_ = only_messages_ && !plan.shares && !plan.permits;
  ++plans_;
  const OverMesh* const route = over_mesh(plan.route);
  if (route == nullptr) return {};
  if (bound_ > 0 && bound_ + route->store.used() > route->store.room) {
    first_round_ += rounds_;
    rounds_ = bound_ = store_ = 0;
  }
  const Place place{first_round_, store_};
  bound_ += route->store.used();
  rounds_ = std::max(rounds_, rounds);
  store_ += plan.store_bytes;
  max_store_ = std::max(max_store_, store_);
  return place;
}

// Processes need not have the same number of slots. If a process has more packets than slots, and all of them are
// short, smaller slots take more packets at once: otherwise a small buffer makes short messages wait for each other,
// each for a latency. Slots have all of the room, so that most packets of another length still fit if processes
// disagree on the arguments (Receiver::arrived reports the others). Several plans share packets, so the longest packet
// is not known.
BufferSize Placement::buffers() const {
  Index slots = std::min<Index>(packets_, limits_.slots), bytes = limits_.packet_bytes;
  if (slots < packets_ && plans_ == 1 && only_messages_) {
    slots = std::max(slots, std::min({packets_, max_message_slots, limits_.room / longest_packet_}));
    bytes = std::min(bytes, limits_.room / slots);
  }
  return {static_cast<int>(slots), bytes, max_store_};
}

BufferSize buffers_of(std::span<const Plan> plans) {
  Placement placement;
  for (const Plan& plan : plans) placement.add(plan, rounds_of(plan));
  return placement.buffers();
}

}  // namespace xredist::core
