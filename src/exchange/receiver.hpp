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

  /// Unpacks packets that neighbours show. Returns whether there were any. Throws Disagreement.
  bool poll_flags();
  /// Receives messages behind packets that neighbours have shown and, if it `probes`, messages that neighbours have
  /// sent in place of showing packets. Returns whether there were any. Throws Disagreement.
  bool accept(bool probes);

  /// Returns whether chunks of a job are still expected in this round.
  bool expects(int job) const { return slots.has(job); }

  /// Cancels all receives. From now on, no memory of neighbours is accessed.
  void close();

 private:
  void receive(std::size_t slot);
  void give_permits();
  void post(std::size_t slot, int tag);
  bool take(std::size_t slot);
  bool follows_expected(const Slot& slot) const;
  void unpack(const Packet& packet, const std::byte* from, Index bytes);
  std::optional<Index> store(const Chunk& chunk, const std::byte* from, Index available);
};

}  // namespace xredist::core
