// SPDX-License-Identifier: BSD-3-Clause
#include "plan/buffers.hpp"

#include <algorithm>

namespace xredist::core {
Placement::Place Placement::add(const Plan& plan) {
  limits_ = common(limits_, plan.limits);
  packets_ += plan.max_packets;
  packet_bytes_ = std::max(packet_bytes_, plan.max_packet_bytes);
  shares_ = shares_ || plan.shares;
  ++plans_;
  const OverMesh* const route = over_mesh(plan.route);
  if (route == nullptr) return {};
  if (bound_ > 0 && bound_ + route->store.used() > route->store.room) {
    first_round_ += rounds_;
    rounds_ = bound_ = store_ = 0;
  }
  const Place place{first_round_, store_};
  bound_ += route->store.used();
  rounds_ = std::max(rounds_, rounds_of(plan));
  store_ += plan.store_bytes;
  max_store_ = std::max(max_store_, store_);
  return place;
}

// Plans that are carried out together share packets, and slots in shared memory have one size on all processes. A slot
// is not much smaller than a packet may be, so that a process can name a message that is longer than it should be.
Index Placement::slot_bytes() const {
  if (plans_ > 1 || shares_) return limits_.packet_bytes;
  return std::clamp(packet_bytes_, limits_.slots * limits_.packet_bytes / max_slots, limits_.packet_bytes);
}

// Processes need not have the same number of slots, nor slots of the same size. Example: with a buffer of 1 MB, 4
// packets of 128 KB may be under way each way, or 32 of up to 16 KB.
BufferSize Placement::buffers() const {
  const Index bytes = slot_bytes(), slots = limits_.slots * limits_.packet_bytes / bytes;
  return {static_cast<int>(std::min({packets_, slots, max_slots})), bytes, max_store_};
}

BufferSize buffers_of(std::span<const Plan> plans) {
  Placement placement;
  for (const Plan& plan : plans) placement.add(plan);
  return placement.buffers();
}

}  // namespace xredist::core
