// SPDX-License-Identifier: BSD-3-Clause
// The packets that a process sends.
#pragma once

#include <memory>

#include "exchange/slots.hpp"

namespace xredist::core {

/// Sends the packets of one round after the other.
class Sender {
 public:
  explicit Sender(ExchangeContext& context) : context_(context) {}

  /// Starts a round.
  void open(std::span<const Transfer> sends);

  /// Continues with a slot whose request has been completed.
  void departed(std::size_t slot);

  /// Sends packets for which no slot is free, so that this process does not hold up the others while it makes no calls:
  /// in order, up to the first one by permit, as far as `room` bytes hold them. Without memory they wait for slots.
  void hand_over(Index room);
  /// Records that one of the packets that were handed over has been sent.
  void left();

  /// Returns whether chunks of a job have not been packed yet in this round.
  bool has_more_of(int job) { return slots_.packets().has_more_of(job); }

  /// Cancels the receives of permits. Packets that are being sent continue, and so do the receives of answers: until an
  /// answer has come, the neighbour may read the shared memory.
  void close();
  /// Cancels, after close(), the receives of answers from processes that have withdrawn from the exchange.
  void forget_withdrawn();

 private:
  // The slots are those of an earlier exchange if this one failed before its first round.
  std::size_t open_slots() const { return std::min(slots_.count(), context_.requests.slots()); }
  void send(std::size_t slot);
  void show(std::size_t slot);
  void ask(std::size_t slot);
  void launch();
  void post(const Packet& packet, const std::byte* from, int bytes, MPI_Request* request);
  int pack(const Packet& packet, std::byte* to);

  ExchangeContext& context_;
  Slots slots_;
  struct {
    std::unique_ptr<std::byte[]> memory;
    Index allocated = 0, used = 0;  // bytes; used again from the beginning when all packets have left
    Index packets = 0;
    Packet packet;  // the last one
  } handed_over_;
};

}  // namespace xredist::core
