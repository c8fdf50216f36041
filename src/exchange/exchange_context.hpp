// SPDX-License-Identifier: BSD-3-Clause
// The state that the sender and the receiver of an exchange share.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/errors.hpp"
#include "exchange/requests.hpp"
#include "plan/packets.hpp"

namespace xredist::core {

/// A process with which this one exchanges packets, and the sequence number of the exchange between the two.
struct Peer {
  int rank;
  Index number;
};

/// Tells the receiver where a packet is in the sender's shared memory. A message that takes the place of a notice, with
/// the packet itself, is filled up to a larger size.
struct Notice {
  std::int32_t slot, bytes;
  static constexpr int size = 2 * sizeof(std::int32_t), min_instead = size + 1;
};

/// The buffers and MPI messages of an exchange. Tags say which of four kinds a message is, the number of the exchange
/// between the two processes, and for permits and answers the slot.
struct ExchangeContext {
  Channel* channel = nullptr;
  const Batch* batch = nullptr;
  std::vector<Peer> peers;                             ///< by rank
  Index packet_bytes = 0, shared_bytes = 0;            ///< sizes of slots, and of slots in shared memory
  std::byte *incoming = nullptr, *outgoing = nullptr;  ///< memory for a packet in each slot
  std::byte* shared = nullptr;                         ///< the outgoing slots in shared memory, or nullptr
  std::byte* store = nullptr;                          ///< forwarded messages between rounds
  Index window = 0;                                    ///< bytes by permit under way at once in either direction
  Requests requests;
  Packer packer;

  const Job& job_of(const Chunk& chunk) const { return at(batch->jobs, chunk.job); }

  /// Returns the sequence number of this exchange between this process and another.
  Index number(int rank) const { return std::ranges::lower_bound(peers, rank, {}, &Peer::rank)->number; }

  std::byte* incoming_slot(std::size_t slot) const { return incoming + static_cast<Index>(slot) * packet_bytes; }
  std::byte* outgoing_slot(std::size_t slot) const { return outgoing + static_cast<Index>(slot) * packet_bytes; }
  std::byte* shared_slot(std::size_t slot) const { return shared + static_cast<Index>(slot) * shared_bytes; }

  int packet_tag(int rank) const { return tag(rank, 0); }
  int permit_tag(int rank) const { return tag(rank, 1); }
  int answer_tag(int rank, int slot) const { return tag(rank, 2 + slot); }
  int permitted_tag(int rank, int slot) const { return tag(rank, 2 + static_cast<int>(max_slots) + slot); }

 private:
  int tag(int rank, int kind) const { return channel->tag(number(rank), kind); }
};

/// The contents of permits, which outlive all messages.
inline constexpr auto slot_numbers = [] {
  std::array<int, max_slots> all{};
  for (int slot = 0; slot < max_slots; ++slot) at(all, slot) = slot;
  return all;
}();

}  // namespace xredist::core
