// SPDX-License-Identifier: BSD-3-Clause
// The messages of an exchange: peers, numbers and tags.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "exchange/channel.hpp"

namespace xredist::core {

/// A process with which this one exchanges packets, and the sequence number of the exchange between the two.
struct Peer {
  int rank;
  Index number;
};

/// Tells the receiver where a packet is in the sender's shared memory. The sender may send the packet itself in place
/// of the notice. Such a message has at least `min_instead` bytes, so the receiver tells it from a notice by its size.
struct Notice {
  std::int32_t slot, bytes;
  static constexpr int size = 2 * sizeof(std::int32_t), min_instead = size + 1;
};

/// The channel and the peers of an exchange. Tags say which of four kinds a message is, the number of the exchange
/// between the two processes, and for answers and for packets sent by permit the slot.
struct Wire {
  const Channel& channel;
  std::span<const Peer> peers;  ///< by rank

  MPI_Comm comm() const { return channel.comm(); }
  /// Returns the sequence number of this exchange between this process and another.
  Index number(int rank) const { return std::ranges::lower_bound(peers, rank, {}, &Peer::rank)->number; }

  int packet_tag(int rank) const { return tag(rank, 0); }
  int permit_tag(int rank) const { return tag(rank, 1); }
  int answer_tag(int rank, int slot) const { return tag(rank, 2 + slot); }
  int permitted_tag(int rank, int slot) const { return tag(rank, 2 + static_cast<int>(max_slots) + slot); }

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
