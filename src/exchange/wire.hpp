// What incoming and outgoing loads of an exchange have in common.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/errors.hpp"
#include "exchange/requests.hpp"
#include "plan/loads.hpp"

namespace xredist::core {

/// A process that this one exchanges with, and which of all their exchanges this is.
struct Peer {
  int rank;
  Index number;
};

/// Where a load is, in the sender's shared memory. Its size is odd, so that no load has it.
struct Notice {
  std::int32_t slot, bytes;
  char odd;
  static constexpr int size = 2 * sizeof(std::int32_t) + 1;
};

/// The messages of an exchange, of four kinds, each in the numbered exchange of two processes. Permits and answers
/// name the slot that they are about.
struct Wire {
  Channel* channel = nullptr;
  std::vector<Peer> peers;  ///< by rank
  Index piece_bytes = 0;
  Index window = 0;  ///< bytes of loads by permit under way at once, in either direction
  Requests requests;
  Packer packer;

  /// The number of this exchange among those with a process.
  Index number(int rank) const { return std::ranges::lower_bound(peers, rank, {}, &Peer::rank)->number; }

  int load_tag(int rank) const { return tag(rank, 0); }
  int permit_tag(int rank) const { return tag(rank, 1); }
  int answer_tag(int rank, int slot) const { return tag(rank, 2 + slot); }
  int permitted_tag(int rank, int slot) const { return tag(rank, 2 + most_slots + slot); }

 private:
  int tag(int rank, int kind) const { return channel->tag(number(rank), kind); }
};

/// What permits say: numbers that live as long as any message.
inline constexpr auto slot_numbers = [] {
  std::array<int, most_slots> all{};
  for (int slot = 0; slot < most_slots; ++slot) all[static_cast<std::size_t>(slot)] = slot;
  return all;
}();

}  // namespace xredist::core
