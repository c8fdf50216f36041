// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/index.hpp"
#include "plan/routing.hpp"
#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

// Pieces of this size stay in a core's cache from packing to unpacking.
constexpr Index cached_piece = Index{256} << 10;

// From this rate on (in bytes per second; 12 Gbit/s) permits cost more than they save: up to twice the time in
// simulations of 100 Gbit/s and 5 us. Such networks throttle senders instead of dropping packets.
constexpr double fast = 1.5e9;

// How many bytes by permit may be under way to or from a process, besides what the network carries while a permit
// travels. Two pieces: one is on the wire while permit and answer of the other travel, and if they come from two
// senders, the port of a shallow switch can queue both. Measured with 16 processes, 100 Mbit/s, queues of 64 KB and
// three examples of Desprez et al.: 1.16, 1.22 to 1.32 and 1.09 times the port bound. A sixth more or less changes
// little; twice as much leads to 1.7, and to 4 where TCP waits for dropped packets.
constexpr Index permitted_bytes = 100'000;
constexpr double permit_seconds = 50e-6;  // for the way of a permit and its answer

std::optional<Coord> place_of(int me, const ProcessGrid& grid) {
  const auto found = std::ranges::find(grid.ranks, me);
  if (found == grid.ranks.end()) return std::nullopt;
  return grid.at(found - grid.ranks.begin());
}

// Seconds per message and per element: set by the options, or measured and at least 100 ps a byte (10 GB/s).
Network network_of(const Options& options, const Links& links, Index bytes) {
  const double beta =
      options.beta > 0 ? 1e-12 * static_cast<double>(options.beta) : std::max(1e-10, links.network.seconds_per_byte);
  return {1e-9 * static_cast<double>(options.alpha), beta * static_cast<double>(bytes)};
}

Schedule schedule_of(const Redistribution& redistribution, const Ranks& ranks, Index algorithm, const Network& network,
                     std::string_view& name) {
  const Algorithm* chosen = &algorithms()[static_cast<std::size_t>(algorithm)];
  std::optional<Schedule> schedule = chosen->make(redistribution.traffic, network, ranks);
  if (!schedule) {
    chosen = &algorithms()[0];
    schedule = chosen->make(redistribution.traffic, network, ranks);
  }
  name = chosen->name;
  return std::move(*schedule);
}

// An upper bound: two loads that follow each other to one process have more bytes together than one may have. In two
// hops all that goes to one process travels together.
Index loads_of(const std::vector<RoutedMessage>& messages, bool together, Index bytes, const Cut& cut) {
  Index loads = 0;
  for (std::size_t k = 0; k < messages.size();) {
    const RoutedMessage& first = messages[k];
    Index elements = 0;
    do {
      const RoutedMessage& m = messages[k++];
      elements += (m.rows.end - m.rows.begin) * (m.cols.end - m.cols.begin);
    } while (together && k < messages.size() && messages[k].rank == first.rank);
    loads += 2 * (elements / (cut.limit(first.way) / bytes)) + 1;
  }
  return loads;
}

void set_permits(Plan& plan, const Options& options, const Links& links) {
  plan.permits = options.permits == 2 || (options.permits == 1 && fast * links.network.seconds_per_byte > 1);
  if (!plan.permits) return;
  plan.window = permitted_bytes;
  if (links.network.seconds_per_byte > 0) plan.window += std::llround(permit_seconds / links.network.seconds_per_byte);
}

// The number of local rows, on process p of the axis, up to the end of the submatrix.
Index local_rows(const Axis& axis, Index p, Index n) { return local_count(axis, p, axis.first + n); }

}  // namespace

Panel panel_of(const RoutedMessage& message, Index panel, Index panels) {
  Panel part{message.rows, message.cols};
  const Index rows = part.rows.end - part.rows.begin, cols = part.cols.end - part.cols.begin;
  Interval& longer = rows > cols ? part.rows : part.cols;
  const Index length = std::max(rows, cols), begin = longer.begin;
  longer = {begin + length * panel / panels, begin + length * (panel + 1) / panels};
  return part;
}

Index largest_panel(const RoutedMessage& message, Index panels) {
  const Index rows = message.rows.end - message.rows.begin, cols = message.cols.end - message.cols.begin;
  return ceil_div(std::max(rows, cols), panels) * std::min(rows, cols);
}

// There are 4 to most_slots pieces in each direction; they are larger only if the buffer has room for more of them. The
// more processes share memory, the smaller are pieces there, but not those to other nodes.
Cut cut_of(const Options& options, const Links& links) {
  const Index room = options.buffer / 2;
  const Index piece = std::max(std::min(cached_piece, room / 4), room / most_slots);
  if (options.shared == 0 || links.shared_bytes == 0) return {piece, static_cast<int>(room / piece), piece};
  const Index shared_room = std::min(room, links.shared_bytes), shared = std::min(cached_piece, shared_room / 4);
  const Index slots = std::min(shared_room / shared, Index{most_slots});
  return {std::min(cached_piece, room / slots), static_cast<int>(slots), shared};
}

namespace {

// A process that forwards messages cuts them as their senders and receivers do, whatever way they come and go. Half of
// the buffer is for what is stored.
Cut cut_for_two_hops(Options options, const Links& links, bool permits) {
  options.buffer /= 2;
  Cut cut = cut_of(options, links);
  cut.piece_bytes = std::min(cut.piece_bytes, cut.shared_bytes);
  if (permits) cut.piece_bytes = std::min(cut.piece_bytes, permitted_piece);
  cut.shared_bytes = cut.piece_bytes;
  return cut;
}

void finish(Plan& plan) {
  plan.reads_a = plan.writes_b = plan.own_rows > 0;
  for (const auto& [sends, receives] : plan.hops) {
    const auto here = [](const RoutedMessage& m) { return m.stored == RoutedMessage::not_stored; };
    plan.reads_a = plan.reads_a || std::ranges::any_of(sends, here);
    plan.writes_b = plan.writes_b || std::ranges::any_of(receives, here);
    for (const auto* list : {&sends, &receives})
      plan.loads = std::max(plan.loads, loads_of(*list, plan.hops.size() > 1, plan.redistribution.bytes, plan.cut));
  }
  std::ranges::sort(plan.peers);
  plan.peers.erase(std::unique(plan.peers.begin(), plan.peers.end()), plan.peers.end());
}

}  // namespace

Plan make_plan(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b, int me,
               const Options& options, const Links& links) {
  const Traffic& traffic = redistribution.traffic;
  const bool transposes = redistribution.operation.transposed;
  std::vector<int> exchanged;
  if (transposes) ranks_a = exchanged = transposed({ranks_a, traffic.rows.a.procs});
  const ProcessGrid a{ranks_a, traffic.cols.a.procs}, b{ranks_b, traffic.cols.b.procs};
  Plan plan{.redistribution = redistribution, .cut = cut_of(options, links), .threads = options.threads};
  set_permits(plan, options, links);
  if (traffic.rows.n == 0 || traffic.cols.n == 0) return plan;
  plan.in_a = place_of(me, a);
  plan.in_b = place_of(me, b);

  std::optional<TwoHops> hops = two_hops_for(redistribution, a, b, options, links, plan.permits, plan.route);
  if (hops) plan.cut = cut_for_two_hops(options, links, plan.permits);
  if (!plan.in_a && !plan.in_b) return plan;
  if (hops) {
    plan.algorithm = "two-hop";
    plan.steps = plan.route.hops[0].messages + plan.route.hops[1].messages;
    route_in_two_hops(plan, *hops, me, options, links);
  } else {
    const Network network = network_of(options, links, redistribution.bytes);
    const Schedule schedule =
        schedule_of(redistribution, {ranks_a, ranks_b}, options.algorithm, network, plan.algorithm);
    plan.steps = schedule.count;
    route_directly(plan, a, b, schedule, me, options, links);
  }
  const bool joined = redistribution.region.kind == Region::Kind::all;
  if (plan.in_b) {
    plan.receive_runs = {{traffic.rows, plan.in_b->row, false, joined}, {traffic.cols, plan.in_b->col, false, joined}};
    plan.local_rows_b = local_rows(traffic.rows.b, plan.in_b->row, traffic.rows.n);
  }
  if (plan.in_a) {
    plan.send_runs = {{traffic.rows, plan.in_a->row, true, joined}, {traffic.cols, plan.in_a->col, true, joined}};
    plan.local_rows_a = transposes ? local_rows(traffic.cols.a, plan.in_a->col, traffic.cols.n)
                                   : local_rows(traffic.rows.a, plan.in_a->row, traffic.rows.n);
  }
  finish(plan);
  return plan;
}

}  // namespace xredist::core
