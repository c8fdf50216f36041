// SPDX-License-Identifier: BSD-3-Clause
// The packets that a process receives.
#pragma once

#include <optional>

#include "exchange/exchange_end.hpp"

namespace xredist::core {

/// Receives the packets of one round after the other.
class Receiver : ExchangeEnd {
 public:
  /// `end`: the objects to use. The slots may still hold packets of an earlier exchange, which are dropped.
  explicit Receiver(const ExchangeEnd& end) : ExchangeEnd(end) { slots.clear(); }

  /// Starts a round.
  void open(std::span<const Transfer> receives);

  /// Unpacks the packet that has arrived in a slot, and receives the next one. Throws Disagreement if the packet does
  /// not have the expected length.
  void arrived(std::size_t slot, const MPI_Status& status);

  /// Returns whether chunks of a job are still expected in this round.
  bool expects(int job) const { return slots.has(job); }

  /// Cancels all receives.
  void close();

 private:
  void receive(std::size_t slot);
  void give_permits();
  void take_notice(std::size_t slot);
  void unpack(const Packet& packet, const std::byte* from, Index bytes);
  std::optional<Index> store(const Chunk& chunk, const std::byte* from, Index available);
};

}  // namespace xredist::core
