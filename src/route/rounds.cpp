// SPDX-License-Identifier: BSD-3-Clause
#include "route/rounds.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Joins what stays on the process to one transfer: an algorithm may have cut the message.
void add_copy(Round& round, const Transfer& transfer) {
  if (round.copies.empty()) {
    round.copies.push_back(transfer);
    round.copies.front().rows.begin = round.copies.front().cols.begin = 0;
  }
  Transfer& copy = round.copies.front();
  copy.rows.end = std::max(copy.rows.end, transfer.rows.end);
  copy.cols.end = std::max(copy.cols.end, transfer.cols.end);
}

// Returns the maximum of elements of a transfer in one panel.
Index max_panel_elements(const Transfer& transfer, Index panels) {
  const Index rows = transfer.rows.length(), cols = transfer.cols.length();
  return ceil_div(std::max(rows, cols), panels) * std::min(rows, cols);
}

}  // namespace

Rounds direct_rounds(const Redistribution& redistribution, const GridPair& grids, const Schedule& schedule,
                     const Transports& transports) {
  const ProcessGrid &a = grids.a().grid, &b = grids.b().grid;
  const int me = grids.me();
  Rounds result;
  Round& round = result.rounds.emplace_back();
  const auto add = [&](std::vector<Transfer>& list, Transfer transfer) {
    transfer.transport = transports.to(transfer.peer);
    list.push_back(transfer);
  };
  if (const std::optional<Coord> in_a = grids.in_a())
    for (const Message& m : sends_of(redistribution.traffic, schedule, *in_a)) {
      const Transfer transfer{.peer = b.rank_at(m.peer), .p = *in_a, .q = m.peer, .rows = m.rows, .cols = m.cols};
      if (transfer.peer == me)
        add_copy(round, transfer);
      else
        add(round.sends, transfer);
    }
  if (const std::optional<Coord> in_b = grids.in_b())
    for (const Message& m : receives_of(redistribution.traffic, schedule, *in_b))
      if (const int peer = a.rank_at(m.peer); peer != me)
        add(round.receives, {.peer = peer, .p = m.peer, .q = *in_b, .rows = m.rows, .cols = m.cols});
  return result;
}

Rounds mesh_rounds(const Redistribution& redistribution, const MeshRoute& mesh_route, Index panels,
                   const Transports& transports) {
  const Members& members = mesh_route.members();
  const int x = members.position_of(mesh_route.grids().me());
  const auto transfer_of = [&](const Leg& leg) {
    const int peer = members.rank_at(leg.peer);
    return Transfer{.peer = peer,
                    .transport = transports.to(peer),
                    .p = *mesh_route.messages().senders.coordinates(leg.p),
                    .q = *mesh_route.messages().receivers.coordinates(leg.q),
                    .rows = leg.rows,
                    .cols = leg.cols};
  };
  const auto add = [](std::vector<Transfer>& list, Transfer transfer) {
    transfer.joins = !list.empty() && list.back().peer == transfer.peer;
    list.push_back(transfer);
  };

  Rounds result;
  std::map<std::pair<int, int>, Index> stored;  // offset of the message p -> q
  const std::vector<Legs> legs = mesh_route.scheduled(x);
  for (const Legs& of_round : legs) {
    Round& round = result.rounds.emplace_back();
    for (const Leg& leg : of_round.sends) {
      Transfer transfer = transfer_of(leg);
      if (leg.p != x) {
        transfer.store = stored[{leg.p, leg.q}] = result.store_bytes;
        result.store_bytes += max_panel_elements(transfer, panels) * redistribution.bytes;
      }
      add(round.sends, transfer);
    }
  }
  for (std::size_t k = 0; k < legs.size(); ++k)
    for (const Leg& leg : legs[k].receives) {
      Transfer transfer = transfer_of(leg);
      if (leg.q != x) transfer.store = stored.at({leg.p, leg.q});
      add(result.rounds[k].receives, transfer);
    }
  if (const auto own = mesh_route.leg(x, x, x)) add_copy(result.rounds[0], transfer_of(*own));
  return result;
}

}  // namespace xredist::core
