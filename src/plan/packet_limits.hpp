// SPDX-License-Identifier: BSD-3-Clause
// The limits within which packets travel: their sizes, the number of slots, whether large packets wait for permits, and
// the bytes by permit under way at once.
#pragma once

#include "layout/index.hpp"
#include "route/links.hpp"
#include "route/transfer.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// The maximum number of slots in one direction.
inline constexpr Index max_slots = 32;

/// The maximum number of slots for plain messages alone, which need no number in a tag or in shared memory. With at
/// most 32 slots, a simulated process that sends more short messages waits for a latency in between: on 44 to 60
/// processes, 1.05 to 1.34 times as long. Each poll visits the requests of all slots.
inline constexpr Index max_message_slots = 64;

/// Bytes: maximum of a packet by permit. A shallow switch can queue two of them at a port, and each is below the size
/// from which many MPIs (for instance Open MPI over TCP) negotiate with the receiver themselves.
inline constexpr Index max_permit_packet = 43'000;

/// The limits of packets and slots. Equal on all processes.
struct ChunkLimits {
  Index packet_bytes;  ///< maximum size of a packet
  int slots;           ///< maximum number of packets under way at once in either direction, at most max_slots
  Index shared_bytes;  ///< maximum size of a packet in shared memory, at most packet_bytes
  Index room;          ///< maximum bytes of all slots in one direction

  /// Returns the maximum size of a packet that travels by `transport`.
  Index of(Transport transport) const {
    if (transport == Transport::shared) return shared_bytes;
    return transport == Transport::permit && max_permit_packet < packet_bytes ? max_permit_packet : packet_bytes;
  }
};

/// Returns the limits for a plan. Each direction has half of the option `buffer`; packets in shared memory have the
/// memory that neighbours show each other, if that is less.
ChunkLimits limits_of(const Options& options, const Links& links);

/// Returns the limits for messages over a mesh. A forwarder cuts messages as their senders and receivers do, whatever
/// the transports, so packets of all transports have one size. Half of the buffer is the store.
ChunkLimits forwarding_limits_of(Options options, const Links& links, bool permits);

/// Returns whether large packets between nodes wait for permits.
bool permits_for(const Options& options, const Links& links);

/// Returns the in-flight limit (bytes) for packets that need a permit, to a process and from it.
Index window_of(const Links& links);

/// Returns limits that fit two plans, which may have been made under different options.
ChunkLimits common(const ChunkLimits& x, const ChunkLimits& y);

}  // namespace xredist::core
