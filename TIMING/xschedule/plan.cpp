#include "xschedule/plan.hpp"

#include <algorithm>
#include <tuple>

#include "schedule/papers/papers.hpp"

namespace xschedule {
namespace {

constexpr std::string_view two_pass = "walker-otto", half_duplex = "reference";

Plan written_out(std::string name, const Traffic& t, const Schedule& schedule) {
  const Index a_cols = t.cols.a.procs, b_cols = t.cols.b.procs;
  Plan plan{.name = std::move(name),
            .half_duplex = false,
            .senders = t.rows.a.procs * a_cols,
            .receivers = t.rows.b.procs * b_cols,
            .steps = schedule.count,
            .pieces = {}};
  for (Index p = 0; p < plan.senders; ++p)
    for (const Message& message : sends_of(t, schedule, {p / a_cols, p % a_cols}))
      plan.pieces.push_back({message.step, p, message.peer.row * b_cols + message.peer.col, message.elements()});
  std::ranges::sort(plan.pieces, {}, [](const Piece& x) { return std::tuple(x.step, x.sender, x.receiver); });
  return plan;
}

// Walker & Otto go through blocks of the least common multiple. Along one axis: for two the passes of
// both would have to be interleaved, of which they say nothing.
std::vector<Plan> two_passes(const Algorithm& algorithm, const Shown& c) {
  const Overlap& across = c.traffic.cols;
  if (across.a.procs > 1 || across.b.procs > 1) return {};
  std::vector<Plan> plans;
  for (const Overlap& pass : walker_otto_passes(c.traffic.rows)) {
    const Traffic traffic{pass, across};
    const std::string name = std::string(algorithm.name) + " pass " + std::to_string(plans.size() + 1);
    if (const auto schedule = algorithm.make(traffic, c.network))
      plans.push_back(written_out(name, traffic, *schedule));
  }
  return plans;
}

}  // namespace

std::vector<Plan> plans_of(const Algorithm& algorithm, const Shown& c) {
  if (const auto schedule = algorithm.make(c.traffic, c.network)) {
    Plan plan = written_out(std::string(algorithm.name), c.traffic, *schedule);
    plan.half_duplex = algorithm.name == half_duplex;
    return {std::move(plan)};
  }
  return algorithm.name == two_pass ? two_passes(algorithm, c) : std::vector<Plan>{};
}

std::string why_undefined(const Algorithm& algorithm) {
  if (algorithm.name == two_pass)
    return "not defined: needs as many processes before as after, blocks that begin together and, in 2d, "
           "one block size a multiple of the other";
  return "not defined: too many messages, or parts of them, to look at";
}

}  // namespace xschedule
