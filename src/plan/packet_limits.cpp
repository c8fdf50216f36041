// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packet_limits.hpp"

#include <algorithm>
#include <cmath>

namespace xredist::core {
namespace {

// Bytes: packets of this size stay in a core's cache from packing to unpacking. Example: a message of 256 x 256 doubles
// is two packets. (Slots of 256 KB in all, which stay in the second-level cache, take 0.91 to 0.93 of the time where
// the two processes of a core exchange with each other, and 0.9 to 1.2 where they do not: two cores with 2 MB each.)
constexpr Index cached_packet = Index{256} << 10;

// Bytes: the least packet that the option `packet` can ask for. Smaller packets would cost more than they carry.
constexpr Index min_packet = Index{4} << 10;

// Bytes per second (600 Mbit/s). Emulated with 4 to 16 nodes, the time without permits over that with permits: at 100
// to 500 Mbit/s 0.93 to 4 where a port of the switch can queue 64 KB, which more than half of the cases overflow from 8
// nodes on, and 0.76 to 1.12 with queues of 256 KB and 1 MB. At 1 Gbit/s the cores of the machine were the limit, and
// with queues of 256 KB permits cost a fifth to a half. Fast networks throttle senders instead of dropping packets.
constexpr double max_permit_rate = 7.5e7;

// Bytes by permit that may be under way to or from an adapter, besides the bytes that the network carries while a
// permit travels. Two packets: one is on the wire while permit and answer of the other travel, and the port of a
// shallow switch can queue both if they come from two senders. Measured with 16 processes, 100 Mbit/s, queues of 64 KB
// and three examples of Desprez et al.: 1.16, 1.22 to 1.32 and 1.09 times the port bound. A sixth more or less changes
// little; twice as much leads to 1.7, and to 4 where TCP waits for dropped packets.
constexpr Index min_window = 100'000;
constexpr double permit_seconds = 50e-6;  // from a permit to the arrival of the packet's first byte

// Returns the seconds per byte of a port. Permits are for ports: on a torus whose links are shared by nodes that are
// far from each other, they do not help (simulated: up to 1.97 times as long).
double seconds_of_port(const Links& links) {
  const Speed& network = links.network;
  return network.to_next_node > 0 ? std::min(network.to_next_node, network.seconds_per_byte) : network.seconds_per_byte;
}

}  // namespace

bool permits_for(const Options& options, const Links& links) {
  using enum Options::Permits;
  return options.permits == always ||
         (options.permits == on_slow_networks && max_permit_rate * seconds_of_port(links) > 1);
}

// A window is the part of a process in that of its adapter: at least a packet. Measured with 4 processes on each of 4
// nodes and direct messages: 0.94, 1.10, 0.87 and 0.63 times the time that whole windows take. More than one process
// may be idle, but a window that processes shared could not keep the order of the schedule, which excludes deadlock.
Index window_of(const Links& links) {
  const double rate = seconds_of_port(links);
  const Index window = min_window + (rate > 0 ? std::llround(permit_seconds / rate) : 0);
  return std::max(max_permit_packet, window / links.nodes.max_processes());
}

// There are 4 to max_slots slots in each direction; packets are larger than a cached one only if the buffer has room
// for more. The more processes share memory, the smaller are packets in it, but not packets to other nodes.
ChunkLimits limits_of(const Options& options, const Links& links) {
  const Index room = options.buffer / 2;
  const bool asked = options.packet > 0;
  const Index wanted = asked ? std::max(options.packet, min_packet) : cached_packet;
  const Index packet = std::max(std::min(wanted, room / 4), asked ? 0 : room / max_slots);
  if (!options.shared || links.shared_bytes == 0)
    return {packet, static_cast<int>(std::min(room / packet, max_slots)), packet, room};
  const Index shared_room = std::min(room, links.shared_bytes), shared = std::min(wanted, shared_room / 4);
  const Index slots = std::min(shared_room / shared, max_slots);
  return {std::min(wanted, room / slots), static_cast<int>(slots), shared, room};
}

ChunkLimits forwarding_limits_of(Options options, const Links& links, bool permits) {
  options.buffer /= 2;
  ChunkLimits limits = limits_of(options, links);
  limits.packet_bytes = std::min(limits.packet_bytes, limits.shared_bytes);
  if (permits) limits.packet_bytes = std::min(limits.packet_bytes, max_permit_packet);
  limits.shared_bytes = limits.packet_bytes;
  return limits;
}

ChunkLimits common(const ChunkLimits& x, const ChunkLimits& y) {
  return {std::min(x.packet_bytes, y.packet_bytes), std::min(x.slots, y.slots),
          std::min(x.shared_bytes, y.shared_bytes), std::min(x.room, y.room)};
}

}  // namespace xredist::core
