// SPDX-License-Identifier: BSD-3-Clause
#include "route/mesh_route.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Sorts the legs by the step of their peer.
template <class StepOf>
void sort_by_step(std::vector<Leg>& list, StepOf step_of) {
  for (Leg& m : list) m.step = step_of(m.peer);
  std::ranges::sort(list, {}, [](const Leg& m) { return std::tuple(m.step, m.peer, m.p, m.q); });
}

Leg whole(int peer, int p, int q, Index rows, Index cols) { return {peer, p, q, {0, rows}, {0, cols}}; }

// Calls visit(peer, rows, cols) for the messages of the process at position x, with the position of each peer.
template <class Visit>
void visit_messages_of(int x, MessageSide& own, const ProcessGrid& peers, const Members& members, Visit visit) {
  const std::optional<Coord> at_x = own.coordinates(x);
  if (!at_x) return;
  for (const Partner& row : own.rows.of(at_x->row))
    for (const Partner& col : own.cols.of(at_x->col))
      visit(members.position_of(peers.rank_at({row.peer, col.peer})), row.length, col.length);
}

}  // namespace

const std::vector<Partner>& PartnerCache::of(Index p) {
  std::vector<Partner>& list = of_[static_cast<std::size_t>(p)];
  if (list.empty()) list = partners(overlap_, p);
  return list;
}

Index PartnerCache::length(Index p, Index q) {
  const std::vector<Partner>& list = of(p);
  const auto found = std::ranges::lower_bound(list, q, {}, &Partner::peer);
  return found != list.end() && found->peer == q ? found->length : 0;
}

MessageSide::MessageSide(const Overlap& to_rows, const Overlap& to_cols, const PlacedGrid& of)
    : placed(of), rows(to_rows), cols(to_cols), max_messages(max_partners(to_rows) * max_partners(to_cols)) {}

Messages::Messages(const Traffic& traffic, std::shared_ptr<const GridPair> of)
    : grids(std::move(of)),
      senders(traffic.rows, traffic.cols, grids->a()),
      receivers(reversed(traffic.rows), reversed(traffic.cols), grids->b()) {}

std::optional<Leg> MeshRoute::leg(int peer, int p, int q) const {
  MessageSide& senders = messages_->senders;
  const std::optional<Coord> from = senders.coordinates(p), to = messages_->receivers.coordinates(q);
  if (!from || !to) return std::nullopt;
  const Index rows = senders.rows.length(from->row, to->row);
  const Index cols = rows > 0 ? senders.cols.length(from->col, to->col) : 0;
  return cols > 0 ? std::optional(whole(peer, p, q, rows, cols)) : std::nullopt;
}

// Calls visit(p, q, rows, cols) for each message that is at x after `rounds` rounds. Walks over the messages of the
// senders, over those of the receivers, or over all pairs, whichever are fewer.
template <class Visit>
void MeshRoute::visit_messages_at(int x, int rounds, Visit visit) const {
  auto& [grids, senders, receivers] = *messages_;
  const Members& members = grids->members();
  const bool is_short = mesh_.is_short();
  for (const Mesh::Rectangle& rectangle : mesh_.messages_at(x, rounds)) {
    const Progression &from = rectangle.senders, &to = rectangle.receivers;
    const auto take = [&](int p, int q, Index rows, Index cols) {
      if (!is_short || mesh_.position(p, q, rounds) == x) visit(p, q, rows, cols);
    };
    const Index pairs = Index{from.count} * to.count;
    const Index by_senders = from.count * senders.max_messages, by_receivers = to.count * receivers.max_messages;
    if (by_senders <= std::min(by_receivers, pairs)) {
      for (int k = 0; k < from.count; ++k)
        visit_messages_of(from[k], senders, receivers.grid(), members, [&](int q, Index rows, Index cols) {
          if (to.contains(q)) take(from[k], q, rows, cols);
        });
    } else if (by_receivers <= pairs) {
      for (int k = 0; k < to.count; ++k)
        visit_messages_of(to[k], receivers, senders.grid(), members, [&](int p, Index rows, Index cols) {
          if (from.contains(p)) take(p, to[k], rows, cols);
        });
    } else {
      for (int i = 0; i < from.count; ++i)
        for (int j = 0; j < to.count; ++j)
          if (const auto found = leg(x, from[i], to[j]))
            take(found->p, found->q, found->rows.length(), found->cols.length());
    }
  }
}

std::vector<Legs> MeshRoute::legs_of(int x) const {
  const int last = mesh_.rounds();
  std::vector<Legs> legs(static_cast<std::size_t>(last));
  for (int rounds = 0; rounds <= last; ++rounds)
    visit_messages_at(x, rounds, [&](int p, int q, Index rows, Index cols) {
      if (rounds > 0)
        if (const int from = mesh_.position(p, q, rounds - 1); from != x)
          at(legs, rounds - 1).receives.push_back(whole(from, p, q, rows, cols));
      if (rounds < last)
        if (const int to = mesh_.position(p, q, rounds + 1); to != x)
          at(legs, rounds).sends.push_back(whole(to, p, q, rows, cols));
    });
  return legs;
}

// Messages to or from a detour differ in another digit as well. They come after the others.
int MeshRoute::step(int round, int from, int to) const {
  const int radix = mesh_.radix(round), digit = mesh_.digit(to, round), distance = digit - mesh_.digit(from, round);
  const bool detour = mesh_.with_digit(from, round, digit) != to;
  return static_cast<int>(detour ? radix - 1 + modulo(distance, radix) : modulo(distance - 1, radix));
}

std::vector<Legs> MeshRoute::scheduled(int x) const {
  std::vector<Legs> legs = legs_of(x);
  for (int round = 0; round < mesh_.rounds(); ++round) {
    sort_by_step(at(legs, round).sends, [&](int peer) { return step(round, x, peer); });
    sort_by_step(at(legs, round).receives, [&](int peer) { return step(round, peer, x); });
  }
  return legs;
}

}  // namespace xredist::core
