#include "plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

std::optional<Coord> place_of(int me, std::span<const int> ranks, Index npcol) {
  const auto found = std::ranges::find(ranks, me);
  if (found == ranks.end()) return std::nullopt;
  const Index position = found - ranks.begin();
  return Coord{position / npcol, position % npcol};
}

// Seconds per message and per element: set by the options, or measured and at least 100 ps a byte (10 GB/s).
Network network_of(const Options& options, const Links& links, Index bytes) {
  const double beta =
      options.beta > 0 ? 1e-12 * static_cast<double>(options.beta) : std::max(1e-10, links.seconds_per_byte);
  return {1e-9 * static_cast<double>(options.alpha), beta * static_cast<double>(bytes)};
}

Schedule schedule_of(const Redistribution& redistribution, Index algorithm, const Network& network,
                     std::string_view& name) {
  const Algorithm* chosen = &algorithms()[static_cast<std::size_t>(algorithm)];
  std::optional<Schedule> schedule = chosen->make(redistribution.traffic, network);
  if (!schedule) {
    chosen = &algorithms()[0];
    schedule = chosen->make(redistribution.traffic, network);
  }
  name = chosen->name;
  return std::move(*schedule);
}

// An upper bound: two loads of a message that follow each other have more bytes together than one may have.
Index loads_of(const std::vector<RoutedMessage>& messages, Index bytes, const Cut& cut) {
  Index loads = 0;
  for (const RoutedMessage& m : messages) {
    const Index limit = m.way == Way::by_permit ? std::min(cut.piece_bytes, permitted_piece) : cut.piece_bytes;
    loads += 2 * ((m.rows.end - m.rows.begin) * (m.cols.end - m.cols.begin) / (limit / bytes)) + 1;
  }
  return loads;
}

void set_permits(Plan& plan, const Options& options, const Links& links) {
  plan.permits = options.permits == 2 || (options.permits == 1 && fast * links.seconds_per_byte > 1);
  if (!plan.permits) return;
  plan.window = permitted_bytes;
  if (links.seconds_per_byte > 0) plan.window += std::llround(permit_seconds / links.seconds_per_byte);
}

// Gives each message of process `me` the rank of its peer and a way.
struct Router {
  int me;
  bool share;
  const Links& links;

  Way way_to(int rank, const Plan& plan) const {
    if (share && links.shares_with(rank)) return Way::shared;
    return plan.permits ? Way::by_permit : Way::plain;
  }

  // ranks: of the peers' grid, which has npcol columns. Enters the peers into the plan, and the message to itself.
  std::vector<RoutedMessage> routed(const std::vector<Message>& messages, std::span<const int> ranks, Index npcol,
                                    Plan& plan) const {
    std::vector<RoutedMessage> result;
    result.reserve(messages.size());
    for (const Message& message : messages) {
      const int rank = ranks[static_cast<std::size_t>(message.peer.row * npcol + message.peer.col)];
      if (rank == me) {
        plan.own_rows = std::max(plan.own_rows, message.rows.end);
        plan.own_cols = std::max(plan.own_cols, message.cols.end);
        continue;
      }
      result.push_back({rank, way_to(rank, plan), message.peer, message.rows, message.cols});
      plan.peers.push_back(rank);
      plan.shares = plan.shares || result.back().way == Way::shared;
    }
    return result;
  }
};

// The number of local rows, on process p of the axis, up to the end of the submatrix.
Index local_rows(const Axis& axis, Index p, Index n) { return local_count(axis, p, axis.first + n); }

}  // namespace

// There are 4 to most_slots pieces in each direction; they are larger only if the buffer has room for more of them.
Cut cut_of(const Options& options, const Links& links) {
  Index piece = std::max(std::min(cached_piece, options.buffer / 8), options.buffer / 2 / most_slots);
  Index room = options.buffer / 2;
  if (options.shared != 0 && links.shared_bytes > 0) {
    room = std::min(room, links.shared_bytes);
    piece = std::min(cached_piece, room / 4);
  }
  return {piece, static_cast<int>(room / piece)};
}

Plan make_plan(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b, int me,
               const Options& options, const Links& links) {
  const Traffic& traffic = redistribution.traffic;
  Plan plan{.redistribution = redistribution, .cut = cut_of(options, links)};
  set_permits(plan, options, links);
  if (traffic.rows.n == 0 || traffic.cols.n == 0) return plan;
  plan.in_a = place_of(me, ranks_a, traffic.cols.a.procs);
  plan.in_b = place_of(me, ranks_b, traffic.cols.b.procs);
  if (!plan.in_a && !plan.in_b) return plan;

  const Schedule schedule =
      schedule_of(redistribution, options.algorithm, network_of(options, links, redistribution.bytes), plan.algorithm);
  plan.steps = schedule.count;
  const Router router{me, options.shared != 0, links};
  if (plan.in_b) {
    plan.receives = router.routed(receives_of(traffic, schedule, *plan.in_b), ranks_a, traffic.cols.a.procs, plan);
    plan.receive_runs = {{traffic.rows, plan.in_b->row, false}, {traffic.cols, plan.in_b->col, false}};
    plan.local_rows_b = local_rows(traffic.rows.b, plan.in_b->row, traffic.rows.n);
  }
  if (plan.in_a) {
    plan.sends = router.routed(sends_of(traffic, schedule, *plan.in_a), ranks_b, traffic.cols.b.procs, plan);
    plan.send_runs = {{traffic.rows, plan.in_a->row, true}, {traffic.cols, plan.in_a->col, true}};
    plan.local_rows_a = local_rows(traffic.rows.a, plan.in_a->row, traffic.rows.n);
  }
  plan.loads = std::max(loads_of(plan.sends, redistribution.bytes, plan.cut),
                        loads_of(plan.receives, redistribution.bytes, plan.cut));
  std::ranges::sort(plan.peers);
  plan.peers.erase(std::unique(plan.peers.begin(), plan.peers.end()), plan.peers.end());
  return plan;
}

}  // namespace xredist::core
