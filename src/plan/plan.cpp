// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "route/prices.hpp"
#include "route/rounds.hpp"
#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

// Bytes: packets of this size stay in a core's cache from packing to unpacking. Example: a message of 256 x 256 doubles
// is two packets.
constexpr Index cached_packet = Index{256} << 10;

// Bytes: the least packet that the option `packet` can ask for. Smaller packets would cost more than they carry.
constexpr Index min_packet = Index{4} << 10;

// Bytes per second (12 Gbit/s): on faster networks permits cost more than they save, up to twice the time in
// simulations of 100 Gbit/s and 5 us. Such networks throttle senders instead of dropping packets.
constexpr double max_permit_rate = 1.5e9;

// Bytes by permit that may be under way to or from an adapter, besides the bytes that the network carries while a
// permit travels. Two packets: one is on the wire while permit and answer of the other travel, and the port of a
// shallow switch can queue both if they come from two senders. Measured with 16 processes, 100 Mbit/s, queues of 64 KB
// and three examples of Desprez et al.: 1.16, 1.22 to 1.32 and 1.09 times the port bound. A sixth more or less changes
// little; twice as much leads to 1.7, and to 4 where TCP waits for dropped packets.
constexpr Index min_window = 100'000;
constexpr double permit_seconds = 50e-6;  // from a permit to the arrival of the packet's first byte

std::optional<Coord> coord_of(int rank, const ProcessGrid& grid) {
  const auto found = std::ranges::find(grid.ranks, rank);
  if (found == grid.ranks.end()) return std::nullopt;
  return grid.at(found - grid.ranks.begin());
}

// Returns the cost of a message and of an element, in seconds: as the options say, or measured and at least 100 ps a
// byte (10 GB/s).
Network network_of(const Options& options, const Links& links, Index bytes, double executions) {
  const double beta =
      options.beta > 0 ? 1e-12 * static_cast<double>(options.beta) : std::max(1e-10, links.network.seconds_per_byte);
  return {1e-9 * static_cast<double>(options.alpha), beta * static_cast<double>(bytes), executions};
}

Schedule schedule_of(Plan& plan, const Ranks& ranks, const Options& options, const Links& links, double executions) {
  const Redistribution& redistribution = plan.redistribution;
  const Network network = network_of(options, links, redistribution.bytes, executions);
  const Algorithm* chosen = &algorithm(options.algorithm);
  std::optional<Schedule> schedule = chosen->make(redistribution.traffic, network, ranks);
  if (!schedule) {
    chosen = &algorithm(AlgorithmId::by_default);
    schedule = chosen->make(redistribution.traffic, network, ranks);
  }
  plan.algorithm = chosen->name;
  plan.steps = schedule->count;
  return std::move(*schedule);
}

// Returns an upper bound: two packets that follow each other to one process have more bytes together than one may have.
Index max_packets(const std::vector<Transfer>& transfers, Index bytes, const ChunkLimits& limits) {
  Index packets = 0;
  for (auto transfer = transfers.begin(); transfer != transfers.end();) {
    const Transport transport = transfer->transport;
    Index elements = 0;
    do elements += (transfer++)->elements();
    while (transfer != transfers.end() && transfer->joins);
    packets += 2 * (elements / (limits.of(transport) / bytes)) + 1;
  }
  return packets;
}

// Returns the part of a process in the window of its adapter: at least a packet. Measured with 4 processes on each of 4
// nodes and direct messages: 0.94, 1.10, 0.87 and 0.63 times the time that whole windows take. More than one process
// may be idle, but a window that processes shared could not keep the order of the schedule, which excludes deadlock.
Index window_for(const Links& links) {
  const double rate = links.network.seconds_per_byte;
  const Index window = min_window + (rate > 0 ? std::llround(permit_seconds / rate) : 0);
  return std::max(max_permit_packet, window / max_processes_on_node(links.nodes));
}

// A forwarder cuts messages as their senders and receivers do, whatever the transports. Half of the buffer is the
// store.
ChunkLimits forwarding_limits(Options options, const Links& links, bool permits) {
  options.buffer /= 2;
  ChunkLimits limits = limits_of(options, links);
  limits.packet_bytes = std::min(limits.packet_bytes, limits.shared_bytes);
  if (permits) limits.packet_bytes = std::min(limits.packet_bytes, max_permit_packet);
  limits.shared_bytes = limits.packet_bytes;
  return limits;
}

// Returns the part of a process at `at`. A transposed array has the rows of the traffic as columns.
LocalPart local_part(std::optional<Coord> at, const Redistribution& redistribution, bool sending, bool transposed) {
  if (!at) return {};
  const Traffic& traffic = redistribution.traffic;
  const bool joined = redistribution.whole();
  const auto range = [sending](const Overlap& o, Index p) { return local_range(sending ? o.a : o.b, p, o.n); };
  Interval rows = range(traffic.rows, at->row);
  const Interval cols = range(traffic.cols, at->col);
  rows = {rows.begin / redistribution.units, rows.end / redistribution.units};
  return {.at = at,
          .rows = transposed ? cols : rows,
          .cols = transposed ? rows : cols,
          .accessed = false,
          .runs = {{traffic.rows, at->row, sending, joined}, {traffic.cols, at->col, sending, joined}}};
}

// Fills the members that follow from the rounds.
void summarize(Plan& plan) {
  const auto in_array = [](const Transfer& transfer) { return !transfer.forwarded(); };
  for (const Round& round : plan.rounds) {
    plan.a.accessed = plan.a.accessed || !round.copies.empty() || std::ranges::any_of(round.sends, in_array);
    plan.b.accessed = plan.b.accessed || !round.copies.empty() || std::ranges::any_of(round.receives, in_array);
    for (const auto* list : {&round.sends, &round.receives}) {
      plan.max_packets = std::max(plan.max_packets, max_packets(*list, plan.redistribution.bytes, plan.limits));
      for (const Transfer& transfer : *list) {
        plan.peers.push_back(transfer.peer);
        plan.shares = plan.shares || transfer.transport == Transport::shared;
      }
    }
  }
  std::ranges::sort(plan.peers);
  plan.peers.erase(std::unique(plan.peers.begin(), plan.peers.end()), plan.peers.end());
}

}  // namespace

bool permits_for(const Options& options, const Links& links) {
  using enum Options::Permits;
  return options.permits == always ||
         (options.permits == on_slow_networks && max_permit_rate * links.network.seconds_per_byte > 1);
}

// There are 4 to max_slots slots in each direction; packets are larger than a cached one only if the buffer has room
// for more. The more processes share memory, the smaller are packets in it, but not packets to other nodes.
ChunkLimits limits_of(const Options& options, const Links& links) {
  const Index room = options.buffer / 2;
  const bool asked = options.packet > 0;
  const Index wanted = asked ? std::max(options.packet, min_packet) : cached_packet;
  const Index packet = std::max(std::min(wanted, room / 4), asked ? 0 : room / max_slots);
  if (!options.shared || links.shared_bytes == 0)
    return {packet, static_cast<int>(std::min(room / packet, max_slots)), packet};
  const Index shared_room = std::min(room, links.shared_bytes), shared = std::min(wanted, shared_room / 4);
  const Index slots = std::min(shared_room / shared, max_slots);
  return {std::min(wanted, room / slots), static_cast<int>(slots), shared};
}

ChunkLimits common(const ChunkLimits& x, const ChunkLimits& y) {
  return {std::min(x.packet_bytes, y.packet_bytes), std::min(x.slots, y.slots),
          std::min(x.shared_bytes, y.shared_bytes)};
}

Plan plan_process(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b,
                  int me, const Options& options, const Links& links, double executions) {
  const Traffic& traffic = redistribution.traffic;
  const bool transposes = redistribution.operation.transposed;
  std::vector<int> reordered;
  if (transposes) ranks_a = reordered = transposed({ranks_a, traffic.rows.a.procs});
  const ProcessGrid a{ranks_a, traffic.cols.a.procs}, b{ranks_b, traffic.cols.b.procs};
  const bool permits = permits_for(options, links);
  Plan plan{.redistribution = redistribution,
            .limits = limits_of(options, links),
            .threads = options.threads,
            .permits = permits,
            .window = permits ? window_for(links) : 0};
  if (traffic.rows.n == 0 || traffic.cols.n == 0) return plan;

  ChosenRoute chosen = choose_route(redistribution, a, b, options, links, permits);
  plan.route = chosen.route();
  plan.estimates = std::move(chosen.estimates);
  const auto* const forwarding = std::get_if<Forwarding>(&chosen.way);
  if (forwarding) plan.limits = forwarding_limits(options, links, permits);
  const std::optional<Coord> in_a = coord_of(me, a), in_b = coord_of(me, b);
  if (!in_a && !in_b) return plan;
  plan.a = local_part(in_a, redistribution, true, transposes);
  plan.b = local_part(in_b, redistribution, false, false);
  const Transports transports{links, options.shared, permits};
  Rounds rounds;
  if (forwarding) {
    plan.algorithm = "mesh";
    for (const Work& round : plan.estimates.over_mesh->rounds) plan.steps += round.messages;
    rounds = mesh_rounds(redistribution, forwarding->legs, forwarding->route.panels, me, transports);
  } else if (a.ranks.size() == 1 && std::ranges::equal(a.ranks, b.ranks)) {
    // One process needs no schedule, which takes half the time of a small first call.
    plan.algorithm = algorithm(options.algorithm).name;
    rounds.rounds.emplace_back().copies.push_back(
        {.peer = me, .p = {}, .q = {}, .rows = {0, traffic.rows.n}, .cols = {0, traffic.cols.n}});
  } else {
    const Schedule schedule = schedule_of(plan, {ranks_a, ranks_b}, options, links, executions);
    rounds = direct_rounds(redistribution, a, b, schedule, in_a, in_b, me, transports);
  }
  plan.rounds = std::move(rounds.rounds);
  plan.store_bytes = rounds.store_bytes;
  summarize(plan);
  return plan;
}

}  // namespace xredist::core
