// SPDX-License-Identifier: BSD-3-Clause
#include "xschedule/listed_schedule.hpp"

#include <algorithm>
#include <tuple>

#include "schedule/papers/papers.hpp"
#include "xschedule/two_hops.hpp"

namespace xschedule {
namespace {

constexpr std::string_view two_pass = "walker-otto", half_duplex = "reference", two_hop = "two-hop";

ListedSchedule written_out(std::string name, const Traffic& t, const Schedule& schedule) {
  const Index a_cols = t.cols.a.procs, b_cols = t.cols.b.procs;
  ListedSchedule listed{.name = std::move(name),
                        .half_duplex = false,
                        .senders = t.rows.a.procs * a_cols,
                        .receivers = t.rows.b.procs * b_cols,
                        .steps = schedule.count,
                        .parts = {}};
  for (Index p = 0; p < listed.senders; ++p)
    for (const Message& message : sends_of(t, schedule, {p / a_cols, p % a_cols}))
      listed.parts.push_back({message.step, p, message.peer.row * b_cols + message.peer.col, message.elements()});
  std::ranges::sort(listed.parts, {}, [](const ListedPart& x) { return std::tuple(x.step, x.sender, x.receiver); });
  return listed;
}

// Walker & Otto's two passes, by way of blocks of the least common multiple. Only along one axis: for two axes the
// passes of both would have to be interleaved, which their paper does not describe.
std::vector<ListedSchedule> two_passes(const Algorithm& algorithm, const Shown& c) {
  const Overlap& across = c.traffic.cols;
  if (across.a.procs > 1 || across.b.procs > 1) return {};
  std::vector<ListedSchedule> all;
  for (const Overlap& pass : walker_otto_passes(c.traffic.rows)) {
    const Traffic traffic{pass, across};
    const std::string name = std::string(algorithm.name) + " pass " + std::to_string(all.size() + 1);
    if (const auto schedule = algorithm.make(traffic, c.network, {}))
      all.push_back(written_out(name, traffic, *schedule));
  }
  return all;
}

}  // namespace

std::vector<Algorithm> choices() {
  std::vector<Algorithm> all(algorithms().begin(), algorithms().end());
  all.push_back({two_hop, [](const Traffic&, const Network&, const Ranks&) { return std::optional<Schedule>(); }});
  return all;
}

std::vector<ListedSchedule> schedules_of(const Algorithm& algorithm, const Shown& c) {
  if (algorithm.name == two_hop) return two_hops_of(std::string(two_hop), c);
  if (const auto schedule = algorithm.make(c.traffic, c.network, {})) {
    ListedSchedule listed = written_out(std::string(algorithm.name), c.traffic, *schedule);
    listed.half_duplex = algorithm.name == half_duplex;
    return {std::move(listed)};
  }
  return algorithm.name == two_pass ? two_passes(algorithm, c) : std::vector<ListedSchedule>{};
}

std::string why_undefined(const Algorithm& algorithm) {
  if (algorithm.name == two_pass)
    return "not defined: needs as many processes before as after, blocks that begin together and, in 2d, "
           "one block size a multiple of the other";
  if (algorithm.name == two_hop) return "not defined: the mesh is one row or one column, or too large to list";
  return "not defined: too many messages, or parts of them, to look at";
}

}  // namespace xschedule
