// SPDX-License-Identifier: BSD-3-Clause
// The memory that plans need while they are carried out together.
#pragma once

#include <limits>
#include <span>

#include "plan/plan.hpp"

namespace xredist::core {

/// The buffers of an exchange on one process.
struct BufferSize {
  int slots = 0;           ///< in each direction
  Index packet_bytes = 0;  ///< bytes of a slot: no packet of this process is longer
  Index store_bytes = 0;   ///< bytes of forwarded messages between rounds

  Index bytes() const { return Index{2} * slots * packet_bytes + store_bytes; }
};

/// Gives the plans of an exchange their rounds and their parts of the store, one plan after the other. Plans that
/// forward messages take their rounds together as long as the store has room for all of them, and one after the other
/// otherwise. All processes add all plans in the same order, and count rounds alike.
class Placement {
 public:
  struct Place {
    Index first_round = 0;  ///< round of the exchange that is the plan's first
    Index store = 0;        ///< offset of the plan's part of the store, in bytes
  };
  /// `rounds`: of the plan in this exchange.
  Place add(const Plan& plan, Index rounds);

  /// Return the limits that fit all plans, and the buffers of all plans. There is at least one plan.
  const ChunkLimits& limits() const { return limits_; }
  BufferSize buffers() const;

 private:
  static constexpr Index unlimited = std::numeric_limits<Index>::max();

  ChunkLimits limits_{unlimited, std::numeric_limits<int>::max(), unlimited, unlimited};
  Index plans_ = 0, packets_ = 0, max_store_ = 0;
  Index longest_packet_ = 1;  // if there is one plan
  bool only_messages_ = true;
  Index first_round_ = 0, rounds_ = 0, bound_ = 0, store_ = 0;  // of the plans that are carried out together
};

/// Returns the buffers of the exchange that carries out these plans, at least one.
BufferSize buffers_of(std::span<const Plan> plans);

}  // namespace xredist::core
