#include "exchange/plan.hpp"

#include <algorithm>
#include <utility>

#include "schedule/algorithm.hpp"

namespace xredist {
namespace {

// Pieces of this size stay in a core's cache between packing, transfer and unpacking.
constexpr Index cached_piece = Index{256} << 10;

std::optional<Coord> place_of(int me, std::span<const int> ranks, Index npcol) {
  const auto found = std::ranges::find(ranks, me);
  if (found == ranks.end()) return std::nullopt;
  const Index position = found - ranks.begin();
  return Coord{position / npcol, position % npcol};
}

Schedule schedule_of(const Matter& matter, const Options& options, std::string_view& name) {
  const Algorithm* chosen = &algorithms()[static_cast<std::size_t>(options.algorithm)];
  const Network network{1e-9 * static_cast<double>(options.alpha),
                        1e-12 * static_cast<double>(options.beta * matter.bytes)};
  std::optional<Schedule> schedule = chosen->make(matter.traffic, network);
  if (!schedule) {
    chosen = &algorithms()[0];
    schedule = chosen->make(matter.traffic, network);
  }
  name = chosen->name;
  return std::move(*schedule);
}

}  // namespace

Plan make_plan(const Matter& matter, std::span<const int> ranks_a, std::span<const int> ranks_b,
               const Channel& channel) {
  const int me = channel.rank();
  const Options& options = channel.options();
  const Index shared = channel.shared_bytes();
  const Traffic& traffic = matter.traffic;
  Plan plan{.matter = matter, .steps = 0, .algorithm = {},
            .in_a = place_of(me, ranks_a, traffic.cols.a.procs),
            .in_b = place_of(me, ranks_b, traffic.cols.b.procs),
            .sends = {}, .receives = {}, .own_rows = 0, .own_cols = 0, .piece_bytes = 0, .slots = 0};
  if (!plan.in_a && !plan.in_b) return plan;

  const Schedule schedule = schedule_of(matter, options, plan.algorithm);
  plan.steps = schedule.count;
  const auto list = [&](const std::vector<Message>& messages, std::span<const int> ranks, Index npcol,
                        std::vector<Transfer>& transfers) {
    for (const Message& message : messages) {
      const int rank = ranks[static_cast<std::size_t>(message.peer.row * npcol + message.peer.col)];
      if (rank == me) {
        plan.own_rows = std::max(plan.own_rows, message.rows.end);
        plan.own_cols = std::max(plan.own_cols, message.cols.end);
        continue;
      }
      const Way way = shared > 0 && channel.neighbours().contains(rank) ? Way::shared
                      : channel.guards()                                ? Way::guarded
                                                                        : Way::plain;
      transfers.push_back({rank, way, message.peer, message.rows, message.cols});
    }
  };
  if (plan.in_b) list(receives_of(traffic, schedule, *plan.in_b), ranks_a, traffic.cols.a.procs, plan.receives);
  if (plan.in_a) list(sends_of(traffic, schedule, *plan.in_a), ranks_b, traffic.cols.b.procs, plan.sends);

  // Half of the buffer for each direction: 4 to most_slots pieces in each, larger ones only where
  // the buffer has room for more than that.
  plan.piece_bytes = std::max(std::min(cached_piece, options.buffer / 8), options.buffer / 2 / most_slots);
  Index room = options.buffer / 2;
  if (shared > 0) {
    room = std::min(room, shared);
    plan.piece_bytes = std::min(cached_piece, room / 4);
  }
  plan.slots = static_cast<int>(room / plan.piece_bytes);
  return plan;
}

}  // namespace xredist
