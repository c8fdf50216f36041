// SPDX-License-Identifier: BSD-3-Clause
#include "route/mesh_route.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "layout/index.hpp"
#include "schedule/bipartite.hpp"

namespace xredist::core {
namespace {

// Messages that pass through the peers of a process: up to this number they are coloured in milliseconds.
constexpr Index max_coloured = 1 << 17;

// Returns the place in the grid of each position, or -1; nothing if each position is its place or has none.
std::vector<int> places(const ProcessGrid& grid, const Members& members) {
  if (members.begin_with(grid)) return {};
  std::vector<int> result(static_cast<std::size_t>(members.size()), -1);
  for (std::size_t place = 0; place < grid.ranks.size(); ++place)
    result[static_cast<std::size_t>(members.position_of(grid.ranks[place]))] = static_cast<int>(place);
  return result;
}

// The edges between processes that differ in one digit, each once.
class Group {
 public:
  explicit Group(int size) : size_(size), steps_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), -1) {}

  void add(int from, int to) {
    if (from != to) steps_[at(from, to)] = 0;
  }

  // Returns the step of each pair of processes. There are as many steps as the busiest process has peers (THEORY.md,
  // T1).
  std::vector<int> steps() && {
    std::vector<Edge> edges;
    std::vector<int> sends(static_cast<std::size_t>(size_), 0), receives = sends;
    for (int from = 0; from < size_; ++from)
      for (int to = 0; to < size_; ++to)
        if (steps_[at(from, to)] == 0) {
          edges.push_back({from, to});
          ++sends[static_cast<std::size_t>(from)];
          ++receives[static_cast<std::size_t>(to)];
        }
    const int degree = std::max(std::ranges::max(sends), std::ranges::max(receives));
    const std::vector<int> colours = colour_edges(edges, size_, size_, degree);
    for (std::size_t e = 0; e < edges.size(); ++e) steps_[at(edges[e].left, edges[e].right)] = colours[e];
    return std::move(steps_);
  }

 private:
  std::size_t at(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(to);
  }

  int size_;
  std::vector<int> steps_;
};

// Sorts the legs by the step of their peer.
template <class StepOf>
void sort_by_step(std::vector<Leg>& list, StepOf step_of) {
  for (Leg& m : list) m.step = step_of(m.peer);
  std::ranges::sort(list, {}, [](const Leg& m) { return std::tuple(m.step, m.peer, m.p, m.q, m.stripe); });
}

Leg whole(int peer, int p, int q, Index rows, Index cols) { return {peer, p, q, {0, rows}, {0, cols}}; }

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

MeshRoute::MeshRoute(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, Members members, Mesh mesh)
    : traffic_(traffic),
      a_(a),
      b_(b),
      members_(std::move(members)),
      mesh_(std::move(mesh)),
      in_a_(places(a, members_)),
      in_b_(places(b, members_)),
      rows_(traffic.rows),
      cols_(traffic.cols),
      rows_back_(reversed(traffic.rows)),
      cols_back_(reversed(traffic.cols)),
      max_receivers_(max_partners(traffic.rows) * max_partners(traffic.cols)),
      max_senders_(max_partners(reversed(traffic.rows)) * max_partners(reversed(traffic.cols))) {}

std::optional<Leg> MeshRoute::leg(int peer, int p, int q) {
  const std::optional<Coord> from = in_a(p), to = in_b(q);
  if (!from || !to) return std::nullopt;
  const Index rows = rows_.length(from->row, to->row);
  const Index cols = rows > 0 ? cols_.length(from->col, to->col) : 0;
  return cols > 0 ? std::optional(whole(peer, p, q, rows, cols)) : std::nullopt;
}

// Calls visit(leg) for each message of p.
template <class Visit>
void MeshRoute::visit_receivers(int p, Visit visit) {
  const std::optional<Coord> from = in_a(p);
  if (!from) return;
  for (const Partner& row : rows_.of(from->row))
    for (const Partner& col : cols_.of(from->col))
      visit(whole(p, p, members_.position_of(b_.rank_at({row.peer, col.peer})), row.length, col.length));
}

// Calls visit(leg) for each message for q.
template <class Visit>
void MeshRoute::visit_senders(int q, Visit visit) {
  const std::optional<Coord> to = in_b(q);
  if (!to) return;
  for (const Partner& row : rows_back_.of(to->row))
    for (const Partner& col : cols_back_.of(to->col))
      visit(whole(q, members_.position_of(a_.rank_at({row.peer, col.peer})), q, row.length, col.length));
}

// Calls visit(leg) for some stripes of a message that are not empty.
template <class Visit>
void MeshRoute::visit_stripes(const Leg& message, Interval stripes, Visit visit) const {
  for (Index stripe = stripes.begin; stripe < stripes.end; ++stripe) {
    Leg leg = message;
    leg.stripe = static_cast<int>(stripe);
    cut_longer_side(leg.rows, leg.cols, stripe, mesh_.stripes(leg.p, leg.q));
    if (leg.elements() > 0) visit(leg);
  }
}

// Calls visit(leg) for each message, or stripe, that is at x after so many rounds; its peer has no meaning.
template <class Visit>
void MeshRoute::visit_messages_at(int x, int rounds, Visit visit) {
  const bool is_short = mesh_.is_short(), striped = mesh_.order() == Mesh::Order::striped;
  for (const Mesh::Rectangle& rectangle : mesh_.messages_at(x, rounds)) {
    const Progression &from = rectangle.senders, &to = rectangle.receivers;
    const auto take = [&](const Leg& leg) {
      if (striped)
        visit_stripes(leg, mesh_.stripes_at(x, leg.p, leg.q, rounds), visit);
      else if (!is_short || mesh_.position(leg.p, leg.q, rounds) == x)
        visit(leg);
    };
    const Index pairs = Index{from.count} * to.count;
    const Index by_senders = from.count * max_receivers_, by_receivers = to.count * max_senders_;
    if (by_senders <= std::min(pairs, by_receivers)) {
      for (int k = 0; k < from.count; ++k)
        visit_receivers(from[k], [&](const Leg& leg) {
          if (to.contains(leg.q)) take(leg);
        });
    } else if (by_receivers <= pairs) {
      for (int k = 0; k < to.count; ++k)
        visit_senders(to[k], [&](const Leg& leg) {
          if (from.contains(leg.p)) take(leg);
        });
    } else {
      for (int i = 0; i < from.count; ++i)
        for (int j = 0; j < to.count; ++j)
          if (const auto found = leg(x, from[i], to[j])) take(*found);
    }
  }
}

std::vector<Legs> MeshRoute::legs_of(int x) {
  const int last = mesh_.rounds();
  std::vector<Legs> legs(static_cast<std::size_t>(last));
  for (int rounds = 0; rounds <= last; ++rounds)
    visit_messages_at(x, rounds, [&](Leg leg) {
      if (rounds > 0)
        if (leg.peer = mesh_.position(leg.p, leg.q, rounds - 1, leg.stripe); leg.peer != x)
          legs[static_cast<std::size_t>(rounds - 1)].receives.push_back(leg);
      if (rounds < last)
        if (leg.peer = mesh_.position(leg.p, leg.q, rounds + 1, leg.stripe); leg.peer != x)
          legs[static_cast<std::size_t>(rounds)].sends.push_back(leg);
    });
  return legs;
}

// Returns the steps of all pairs of processes that differ from x in the digit of a round alone.
std::vector<int> MeshRoute::coloured_steps(int x, int round) {
  Group group(mesh_.radix(round));
  for (int digit = 0; digit < mesh_.radix(round); ++digit)
    visit_messages_at(mesh_.with_digit(x, round, digit), round, [&](const Leg& leg) {
      group.add(digit, mesh_.digit(mesh_.position(leg.p, leg.q, round + 1, leg.stripe), round));
    });
  return std::move(group).steps();
}

// Messages to or from a detour differ in another digit as well. They come after the others.
int MeshRoute::rotated_step(int round, int from, int to) const {
  const int radix = mesh_.radix(round), digit = mesh_.digit(to, round);
  const bool detour = mesh_.with_digit(from, round, digit) != to;
  return (detour ? radix : 0) + static_cast<int>(modulo(digit - mesh_.digit(from, round), radix));
}

std::vector<Legs> MeshRoute::scheduled(int x, bool coloured) {
  std::vector<Legs> legs = legs_of(x);
  for (int round = 0; round < mesh_.rounds(); ++round) {
    const bool colour = coloured && !mesh_.is_short();
    const std::vector<int> steps = colour ? coloured_steps(x, round) : std::vector<int>();
    const auto step = [&](int from, int to) {
      if (!colour) return rotated_step(round, from, to);
      return at(steps, mesh_.digit(from, round) * mesh_.radix(round) + mesh_.digit(to, round));
    };
    auto& [sends, receives] = legs[static_cast<std::size_t>(round)];
    sort_by_step(sends, [&](int peer) { return step(x, peer); });
    sort_by_step(receives, [&](int peer) { return step(peer, x); });
  }
  return legs;
}

// Rotation has the fewest steps where all processes of a row exchange stripes.
bool MeshRoute::quick_to_colour(Index messages) const {
  if (mesh_.order() == Mesh::Order::striped) return false;
  Index visited = 0;
  for (int round = 0; round < mesh_.rounds(); ++round) {
    const auto [from, to] = mesh_.max_ends(round);
    visited += mesh_.radix(round) * std::min({from * messages, to * messages, from * to});
  }
  return visited <= max_coloured;
}

}  // namespace xredist::core
