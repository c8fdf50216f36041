// SPDX-License-Identifier: BSD-3-Clause
// The packets that a process receives.
#pragma once

#include "exchange/buffers.hpp"
#include "exchange/requests.hpp"
#include "exchange/slots.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// Receives the packets of one round after the other.
class Receiver {
 public:
  /// All arguments outlive the receiver; `slots` are those of an earlier exchange. `window`: bytes by permit that may
  /// be under way at once.
  Receiver(const Wire& wire, const Buffers& buffers, const Batch& batch, Index window, Requests& requests,
           Packer& packer, Slots& slots)
      : wire_(wire),
        buffers_(buffers),
        batch_(batch),
        window_(window),
        requests_(requests),
        packer_(packer),
        slots_(slots) {
    slots_.clear();
  }

  /// Starts a round.
  void open(std::span<const Transfer> receives);

  /// Unpacks the packet that has arrived in a slot, and receives the next one. Throws Disagreement if the packet does
  /// not have the expected length.
  void arrived(std::size_t slot, const MPI_Status& status);

  /// Returns whether chunks of a job are still expected in this round.
  bool expects(int job) const { return slots_.has(job); }

  /// Cancels all receives.
  void close();

 private:
  void receive(std::size_t slot);
  void give_permits();
  void take_notice(std::size_t slot);
  void unpack(const Packet& packet, const std::byte* from, Index bytes);
  Index store(const Chunk& chunk, const std::byte* from, Index available);

  const Wire& wire_;
  const Buffers& buffers_;
  const Batch& batch_;
  const Index window_;
  Requests& requests_;
  Packer& packer_;
  Slots& slots_;
};

}  // namespace xredist::core
