// SPDX-License-Identifier: BSD-3-Clause
// The packets that a process sends.
#pragma once

#include <memory>

#include "exchange/exchange_end.hpp"

namespace xredist::core {

/// Memory for packets without a slot.
struct HandedOver {
  std::unique_ptr<std::byte[]> memory{};
  Index allocated = 0, used = 0;  ///< bytes; used again from the beginning when all packets have left
  Index packets = 0;
};

/// Frees, after the end of a session, the slots of shared memory that have been read.
void forget_read(Slots& outgoing, const SharedMemory::Flags& flags);

/// Takes back, after the end of a session, what is shown to processes that have withdrawn from the exchange.
void forget_withdrawn(const Wire& wire, Slots& outgoing, SharedMemory::Flags& flags);

/// Sends the packets of one round after the other.
class Sender : ExchangeEnd {
 public:
  /// `end`: the objects to use. The slots may still hold packets of an earlier exchange, which are dropped.
  /// `handed_over` outlives the sender.
  Sender(const ExchangeEnd& end, HandedOver& handed_over) : ExchangeEnd(end), handed_over_(handed_over) {
    slots.clear();
  }

  /// Starts a round.
  void open(std::span<const Transfer> sends);

  /// Continues with the slots of shared memory that have been read. Returns whether there were any.
  bool poll_flags();

  /// Continues with a slot whose request has been completed.
  void on_request_complete(std::size_t slot);

  /// Sends packets for which no slot is free, so that this process does not hold up the others while it makes no calls:
  /// in order, up to the first one by permit, as far as `room` bytes hold them. Without memory they wait for slots.
  void hand_over(Index room);
  /// Records that MPI has sent a packet that was handed over.
  void on_handed_over_sent();

  /// Returns whether chunks of a job have not been packed yet in this round.
  bool has_more_of(int job) const { return slots.packets().has_more_of(job); }

  /// Cancels the receives of permits. Packets that are being sent continue, and others stay in shared memory: until a
  /// flag is 0, the neighbour may read the slot.
  void close();

 private:
  void send(std::size_t slot);
  void show(std::size_t slot, std::uint64_t identity);
  void ask(std::size_t slot);
  void send_permitted();
  void post(const Packet& packet, const std::byte* from, int bytes, MPI_Request* request);
  int pack(const Packet& packet, std::byte* to);

  HandedOver& handed_over_;
};

}  // namespace xredist::core
