// SPDX-License-Identifier: BSD-3-Clause
#include "plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "plan/execution_panels.hpp"
#include "route/rounds.hpp"
#include "schedule/algorithm.hpp"

namespace xredist::core {
namespace {

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

// Upper bounds on the number of packets, and on the bytes of each.
struct PacketBounds {
  Index count = 0, bytes = 0;
};

// Returns the bounds for one direction and round: two packets that follow each other to one process have more bytes
// together than one may have.
PacketBounds bounds_of(const std::vector<Transfer>& transfers, Index bytes, const ChunkLimits& limits) {
  PacketBounds bounds;
  for (auto transfer = transfers.begin(); transfer != transfers.end();) {
    const Index limit = limits.of(transfer->transport);
    Index elements = 0;
    do elements += (transfer++)->elements();
    while (transfer != transfers.end() && transfer->joins);
    bounds.count += 2 * (elements / (limit / bytes)) + 1;
    bounds.bytes = std::max(bounds.bytes, std::min(elements * bytes, limit));
  }
  return bounds;
}

// Returns the part of a process at `at`. A transposed array has the rows of the traffic as columns.
LocalPart local_part(std::optional<Coord> at, const Redistribution& redistribution, bool sending, bool transposed) {
  if (!at) return {};
  const Traffic& traffic = redistribution.traffic;
  const bool joined = redistribution.whole();
  const auto range = [sending](const Overlap& o, Index p) {
    return is_product(o) ? Interval{} : local_range(sending ? o.a : o.b, p, o.n);
  };
  Interval rows = range(traffic.rows, at->row);
  const Interval cols = range(traffic.cols, at->col);
  rows = {rows.begin / redistribution.units, rows.end / redistribution.units};
  RunTables runs{.rows = {traffic.rows, at->row, sending, joined}};
  if (is_product(traffic.cols))
    runs.factors = {traffic.cols, at->col, sending};
  else
    runs.cols = {traffic.cols, at->col, sending, joined};
  return {.at = at,
          .rows = transposed ? cols : rows,
          .cols = transposed ? rows : cols,
          .accessed = false,
          .runs = std::move(runs)};
}

// Fills the members that follow from the rounds.
void summarize(Plan& plan) {
  const auto in_array = [](const Transfer& transfer) { return !transfer.forwarded(); };
  for (const Round& round : plan.rounds) {
    plan.a.accessed = plan.a.accessed || !round.copies.empty() || std::ranges::any_of(round.sends, in_array);
    plan.b.accessed = plan.b.accessed || !round.copies.empty() || std::ranges::any_of(round.receives, in_array);
    for (const auto* list : {&round.sends, &round.receives}) {
      const PacketBounds bounds = bounds_of(*list, plan.redistribution.bytes, plan.limits);
      plan.max_packets = std::max(plan.max_packets, bounds.count);
      plan.longest_packet = std::max(plan.longest_packet, bounds.bytes);
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

Plan plan_process(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                  const Options& options, const Links& links, double executions) {
  const Traffic& traffic = redistribution.traffic;
  const bool permits = permits_for(options, links);
  Plan plan{.redistribution = redistribution,
            .limits = limits_of(options, links),
            .threads = options.threads,
            .permits = permits,
            .page_bytes = links.page_bytes,
            .window = permits ? window_of(links) : 0};
  if (traffic.rows.n == 0 || traffic.cols.n == 0) return plan;

  ChosenRoute chosen = choose_route(redistribution, grids, options, links, permits);
  plan.route = std::move(chosen.route);
  const OverMesh* const mesh = over_mesh(plan.route);
  if (mesh)
    plan.limits = forwarding_limits_of(options, links, permits);
  else
    plan.panels = panels_for_caches(redistribution, links);
  if (!grids->in_a() && !grids->in_b()) return plan;
  plan.a = local_part(grids->in_a(), redistribution, true, redistribution.operation.transposed);
  plan.b = local_part(grids->in_b(), redistribution, false, false);
  const Transports transports{links, options.shared, permits};
  Rounds rounds;
  if (mesh) {
    plan.algorithm = "mesh";
    for (const Work& round : mesh->rounds) plan.steps += round.messages;
    rounds = mesh_rounds(redistribution, *chosen.legs, mesh->panels, transports);
  } else if (grids->equal() && grids->members().size() == 1) {
    // One process needs no schedule, which takes half the time of a small first call.
    plan.algorithm = algorithm(options.algorithm).name;
    rounds.rounds.emplace_back().copies.push_back(
        {.peer = grids->me(), .p = {}, .q = {}, .rows = {0, traffic.rows.n}, .cols = {0, traffic.cols.n}});
  } else {
    const Ranks ranks{grids->a().grid.ranks, grids->b().grid.ranks};
    const Schedule schedule = schedule_of(plan, ranks, options, links, executions);
    rounds = direct_rounds(redistribution, *grids, schedule, transports);
  }
  plan.rounds = std::move(rounds.rounds);
  plan.store_bytes = rounds.store_bytes;
  summarize(plan);
  return plan;
}

Plan plan_process(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b,
                  int me, const Options& options, const Links& links, double executions) {
  const Traffic& traffic = redistribution.traffic;
  std::vector<int> of_a = redistribution.operation.transposed ? transposed({ranks_a, traffic.rows.a.procs})
                                                              : std::vector<int>(ranks_a.begin(), ranks_a.end());
  const auto grids = std::make_shared<const GridPair>(std::move(of_a), traffic.cols.a.procs,
                                                      std::vector<int>(ranks_b.begin(), ranks_b.end()),
                                                      traffic.cols.b.procs, links.nodes, me);
  return plan_process(redistribution, grids, options, links, executions);
}

}  // namespace xredist::core
