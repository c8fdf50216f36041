// SPDX-License-Identifier: BSD-3-Clause
// The ways in which packets travel, and the choice between them.
#pragma once

#include <cstdint>

#include "route/links.hpp"

namespace xredist::core {

/// The way of a packet: an MPI message, shared memory, or an MPI message for which the receiver gives a permit.
enum class Transport : std::uint8_t { message, shared, permit };

/// The choice of the transport of packets. Small packets need no permit whatever this choice is (plan/packets.cpp).
struct Transports {
  const Links& links;
  bool share;    ///< packets to neighbours travel through shared memory
  bool permits;  ///< other packets wait for permits

  Transport to(int rank) const {
    if (share && links.shares_with(rank)) return Transport::shared;
    return permits ? Transport::permit : Transport::message;
  }
};

}  // namespace xredist::core
