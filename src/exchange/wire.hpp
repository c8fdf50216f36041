// SPDX-License-Identifier: BSD-3-Clause
// The messages of an exchange: peers, numbers and tags.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "exchange/channel.hpp"
#include "layout/digest.hpp"

namespace xredist::core {

/// A process with which this one exchanges packets, and the sequence number of the exchange between the two.
struct Peer {
  int rank;
  Index number;
  Index sent = 0, received = 0;  ///< packets without permits that have had slots, or have been handed over
};

/// The channel and the peers of an exchange. Tags say which of three kinds a message is, the number of the exchange
/// between the two processes, and for packets sent by permit the slot.
struct Wire {
  const Channel& channel;
  std::span<Peer> peers;  ///< by rank

  MPI_Comm comm() const { return channel.comm(); }
  Peer& peer(int rank) const { return *std::ranges::lower_bound(peers, rank, {}, &Peer::rank); }
  /// Returns the sequence number of this exchange between this process and another.
  Index number(int rank) const { return peer(rank).number; }

  int packet_tag(int rank) const { return tag(rank, 0); }
  int permit_tag(int rank) const { return tag(rank, 1); }
  int permitted_tag(int rank, int slot) const { return tag(rank, 2 + slot); }

  /// Returns the identity of packet number `packet`, from 0, from one process to another in exchange `number` of the
  /// two: a hash that no other packet has which is in the sender's shared memory or is expected there, and never 0.
  std::uint64_t identity(int receiver, Index number, Index packet) const {
    Digest digest;
    for (const Index value : {static_cast<Index>(channel.key()), Index{receiver}, number, packet}) digest.add(value);
    return static_cast<std::uint64_t>(digest.number());
  }

 private:
  int tag(int rank, int kind) const { return channel.tag(number(rank), kind); }
};

/// The contents of permits, which outlive all messages.
inline constexpr auto slot_numbers = [] {
  std::array<int, max_slots> all{};
  for (int slot = 0; slot < max_slots; ++slot) at(all, slot) = slot;
  return all;
}();

}  // namespace xredist::core
