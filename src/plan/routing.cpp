// SPDX-License-Identifier: BSD-3-Clause
#include "plan/routing.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace xredist::core {
namespace {

class Router {
 public:
  Router(Plan& plan, int me, const Options& options, const Links& links)
      : plan_(plan), me_(me), share_(options.shared != 0), links_(links) {}

  // What stays on this process is not sent.
  void enter(std::vector<RoutedMessage>& list, RoutedMessage message) {
    if (message.rank == me_) {
      plan_.own_rows = std::max(plan_.own_rows, message.rows.end);
      plan_.own_cols = std::max(plan_.own_cols, message.cols.end);
      return;
    }
    message.way = way_to(message.rank);
    plan_.shares = plan_.shares || message.way == Way::shared;
    plan_.peers.push_back(message.rank);
    list.push_back(message);
  }

 private:
  Way way_to(int rank) const {
    if (share_ && links_.shares_with(rank)) return Way::shared;
    return plan_.permits ? Way::by_permit : Way::plain;
  }

  Plan& plan_;
  int me_;
  bool share_;
  const Links& links_;
};

}  // namespace

void route_directly(Plan& plan, const ProcessGrid& a, const ProcessGrid& b, const Schedule& schedule, int me,
                    const Options& options, const Links& links) {
  const Traffic& traffic = plan.redistribution.traffic;
  Router router(plan, me, options, links);
  Hop& hop = plan.hops.emplace_back();
  if (plan.in_a)
    for (const Message& m : sends_of(traffic, schedule, *plan.in_a))
      router.enter(hop.sends, {b.rank_at(m.peer), Way::plain, *plan.in_a, m.peer, m.rows, m.cols});
  if (plan.in_b)
    for (const Message& m : receives_of(traffic, schedule, *plan.in_b))
      router.enter(hop.receives, {a.rank_at(m.peer), Way::plain, m.peer, *plan.in_b, m.rows, m.cols});
}

// What is stored lies in the order in which it is sent on.
void route_in_two_hops(Plan& plan, TwoHops& hops, int me, const Options& options, const Links& links) {
  const Mesh& mesh = hops.mesh();
  const int x = mesh.position_of(me);
  const BothHops both = hops.scheduled(x, hops.quick_to_colour(plan.route.direct.messages));
  Router router(plan, me, options, links);
  const auto routed = [&](const HopMessage& m) {
    return RoutedMessage{mesh.rank_at(m.peer), Way::plain, *hops.in_a(m.p), *hops.in_b(m.q), {0, m.rows}, {0, m.cols}};
  };
  plan.hops.resize(2);
  if (const auto own = hops.message(x, x, x)) router.enter(plan.hops[0].sends, routed(*own));

  std::map<std::pair<int, int>, Index> stored;
  for (const HopMessage& m : both[1].sends) {
    RoutedMessage message = routed(m);
    if (m.p != x) {
      message.stored = stored[{m.p, m.q}] = plan.cut.stored;
      plan.cut.stored += largest_panel(message, plan.route.panels) * plan.redistribution.bytes;
    }
    router.enter(plan.hops[1].sends, message);
  }
  for (const HopMessage& m : both[1].receives) router.enter(plan.hops[1].receives, routed(m));
  for (const HopMessage& m : both[0].sends) router.enter(plan.hops[0].sends, routed(m));
  for (const HopMessage& m : both[0].receives) {
    RoutedMessage message = routed(m);
    if (m.q != x) message.stored = stored.at({m.p, m.q});
    router.enter(plan.hops[0].receives, message);
  }
}

}  // namespace xredist::core
