// SPDX-License-Identifier: BSD-3-Clause
// What the inbox and the outbox of an exchange have in common.
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
#include "plan/loads.hpp"

namespace xredist::core {

/// A process that this one exchanges messages with, and the number that the exchange has between the two.
struct Peer {
  int rank;
  Index number;
};

/// Tells where a load is in the sender's shared memory. Its size is odd, so that no load has the same size.
struct Notice {
  std::int32_t slot, bytes;
  char odd;
  static constexpr int size = 2 * sizeof(std::int32_t) + 1;
};

/// The messages of an exchange. Their tags say which of four kinds they are, the number of the exchange between the two
/// processes, and for permits and answers the slot.
struct Wire {
  Channel* channel = nullptr;
  std::vector<Peer> peers;                             ///< by rank
  Index piece_bytes = 0, shared_bytes = 0;             ///< sizes of slots, and of those in shared memory
  std::byte *incoming = nullptr, *outgoing = nullptr;  ///< room for a piece in each slot
  std::byte* shared = nullptr;                         ///< the same in memory that neighbours see, or nullptr
  std::byte* store = nullptr;                          ///< what is between two hops
  Index window = 0;  ///< bytes of loads by permit under way at once, in either direction
  Requests requests;
  Packer packer;

  /// The number that this exchange has between this process and another.
  Index number(int rank) const { return std::ranges::lower_bound(peers, rank, {}, &Peer::rank)->number; }

  std::byte* room_in(std::size_t slot) const { return incoming + static_cast<Index>(slot) * piece_bytes; }
  std::byte* room_out(std::size_t slot) const { return outgoing + static_cast<Index>(slot) * piece_bytes; }
  std::byte* shared_room(std::size_t slot) const { return shared + static_cast<Index>(slot) * shared_bytes; }

  int load_tag(int rank) const { return tag(rank, 0); }
  int permit_tag(int rank) const { return tag(rank, 1); }
  int answer_tag(int rank, int slot) const { return tag(rank, 2 + slot); }
  int permitted_tag(int rank, int slot) const { return tag(rank, 2 + most_slots + slot); }

 private:
  int tag(int rank, int kind) const { return channel->tag(number(rank), kind); }
};

/// The contents of permits, which live longer than any message.
inline constexpr auto slot_numbers = [] {
  std::array<int, most_slots> all{};
  for (int slot = 0; slot < most_slots; ++slot) all[static_cast<std::size_t>(slot)] = slot;
  return all;
}();

}  // namespace xredist::core
