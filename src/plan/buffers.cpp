// SPDX-License-Identifier: BSD-3-Clause
#include "plan/buffers.hpp"

#include <algorithm>

namespace xredist::core {

Placement::Place Placement::add(const Plan& plan, Index rounds) {
  limits_ = common(limits_, plan.limits);
  packets_ += plan.max_packets;
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

// Processes need not have the same number of slots.
BufferSize Placement::buffers() const {
  return {static_cast<int>(std::min<Index>(packets_, limits_.slots)), limits_.packet_bytes, max_store_};
}

BufferSize buffers_of(std::span<const Plan> plans) {
  Placement placement;
  for (const Plan& plan : plans) placement.add(plan, rounds_of(plan));
  return placement.buffers();
}

}  // namespace xredist::core
