// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/axis_graph.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "layout/grouped.hpp"
#include "schedule/classes.hpp"
#include "schedule/limits.hpp"

namespace xredist::core {
namespace {

void count_degrees(ColourGraph& graph) {
  graph.left_degree = count_each(graph.lefts, graph.edges, &Edge::left);
  graph.right_degree = count_each(graph.rights, graph.edges, &Edge::right);
}

void add_edge(WeightedGraph& graph, const Edge& edge, Index length, Index sender, Index receiver) {
  graph.edges.push_back(edge);
  graph.lengths.push_back(length);
  graph.samples.push_back({sender, receiver});
}

// Edge (t, i, j) of a contracted graph, and one of the messages that it stands for (THEORY.md, T5).
struct Contracted {
  Index t, i, j, length, sender, receiver;
};

// Calls visit(Contracted) for the edges of a contracted graph in ascending order of (t, i, j), with the first `count`
// of the g0 messages of each edge in the order of their senders. p and q have class t iff p r - q s = k0 + t modulo g:
// p is given modulo a g0, and q modulo b g0.
template <class Visit>
void visit_contracted(const Classes& c, Index count, const Visit& visit) {
  const Index receivers = c.b * c.g0;  // of one copy j
  const Index by_r = inverse(c.r, c.a), by_s = inverse(c.s / c.a, receivers);
  const Index next = c.r % receivers * by_s % receivers;  // from the receiver of p to that of p + a
  for (Index t = 0; t < c.W; ++t) {
    const Index length = c.length(t), residue = modulo((c.k0 + t) % c.a * by_r, c.a);
    for (Index i = 0; i < c.n; ++i) {
      const Index p = i * c.a * c.g0 + residue;
      const Index q = modulo((p * c.r - c.k0 - t) % c.g / c.a % receivers * by_s, receivers);
      for (Index j = 0; j < c.m; ++j)
        for (Index k = 0, x = p, y = q; k < count; ++k, x += c.a, y = (y + next) % receivers)
          visit(Contracted{t, i, j, length, (x + c.p_start) % c.P, (y + j * receivers + c.q_start) % c.Q});
    }
  }
}

// Returns a graph that will have `edges` edges.
WeightedGraph with_room(Index lefts, Index rights, Index edges) {
  WeightedGraph graph{{.lefts = static_cast<int>(lefts), .rights = static_cast<int>(rights)}};
  graph.edges.reserve(as_size(edges));
  graph.lengths.reserve(as_size(edges));
  graph.samples.reserve(as_size(edges));
  return graph;
}

double periods_of(const Overlap& o) { return static_cast<double>(o.n) / static_cast<double>(period(o)); }

// Returns the number of the edge of a message in the contracted graph.
Index number_of(const Classes& c, Index p, Index q) { return (c.t(p, q) * c.n + c.i(p)) * c.m + c.j(q); }

// Returns the contracted graph of an axis of at least a period.
WeightedGraph contracted(const Overlap& o) {
  const Classes c(o);
  WeightedGraph graph = with_room(c.a * c.n, c.b * c.m, c.W * c.n * c.m);
  graph.periods = periods_of(o);
  graph.edge = [c](Index p, Index q) { return as_size(number_of(c, p, q)); };
  visit_contracted(c, 1, [&](const Contracted& e) {
    const Index left = e.t % c.a * c.n + e.i, right = e.t % c.b * c.m + e.j;
    add_edge(graph, {static_cast<int>(left), static_cast<int>(right)}, e.length, e.sender, e.receiver);
  });
  count_degrees(graph);
  return graph;
}

// Returns the graph of an axis of at least a period with a node for each process. The g0 messages of an edge of the
// contracted graph are consecutive edges.
WeightedGraph expanded(const Overlap& o) {
  const Classes c(o);
  WeightedGraph graph = with_room(c.P, c.Q, c.W * c.n * c.m * c.g0);
  graph.periods = periods_of(o);
  graph.edge = [c](Index p, Index q) { return as_size(number_of(c, p, q) * c.g0 + c.from_start_of_a(p) / c.a % c.g0); };
  visit_contracted(c, c.g0, [&](const Contracted& e) {
    add_edge(graph, {static_cast<int>(e.sender), static_cast<int>(e.receiver)}, e.length, e.sender, e.receiver);
  });
  count_degrees(graph);
  return graph;
}

// Completes a graph whose edges are ordered by sender, then receiver. The number of an edge that does not exist is
// edges.size().
void complete(ColourGraph& graph) {
  count_degrees(graph);
  graph.edge = [receivers = Grouped<int>(graph.lefts, graph.edges, &Edge::left, &Edge::right)](Index p, Index q) {
    const std::span own = receivers[p];
    const auto found = std::ranges::lower_bound(own, q);
    const std::vector<int>& all = receivers.values();
    return found == own.end() || *found != q ? all.size() : as_size(std::to_address(found) - all.data());
  };
}

// Returns a graph without edges.
ColourGraph without_edges(const Overlap& o) {
  return {.lefts = static_cast<int>(o.a.procs), .rights = static_cast<int>(o.b.procs)};
}

WeightedGraph uncontracted(const Overlap& o) {
  WeightedGraph graph{without_edges(o)};
  for (const auto& [p, q, length] : shares(o)) add_edge(graph, {p, q}, length, p, q);
  complete(graph);
  return graph;
}

// Sets `met` to the receivers of p, ascending; both axes must be CYCLIC. `last_sender`: of each receiver, the last
// sender that met it. Walks the sender's blocks until it has met all receivers: in planning_benchmark,
// 1000x1000/64x64:999x1001/36x36 on 10^5 x 10^5 elements takes a fourth of the time that it takes with partners().
void find_receivers(const Overlap& o, int p, std::vector<int>& last_sender, std::vector<int>& met) {
  const int all = static_cast<int>(last_sender.size());
  const Index block = o.b.block();
  met.clear();
  for (BlockWalk own(o.a, p, 0); own.start() < o.n && std::ssize(met) < all;) {
    const Index begin = std::max<Index>(own.start(), 0);
    auto q = static_cast<int>(owner(o.b, begin));
    Index length = std::min(own.end(), o.n) - begin + (o.b.first + begin) % block;  // from the begin of q's block
    for (int left = all; left > 0 && length > 0; --left, length -= block) {
      if (std::exchange(at(last_sender, q), p) != p) met.push_back(q);
      if (++q == all) q = 0;
    }
    const Index last = own.end() - 1;  // the sender's other blocks in this block of B meet nobody new
    own.skip(last + block - (o.b.first + last) % block);
  }
  if (8 * std::ssize(met) < all)
    std::ranges::sort(met);
  else
    for (int q = 0, k = 0; k < std::ssize(met); ++q)
      if (at(last_sender, q) == p) at(met, k++) = q;
}

// Returns the graph of uncontracted() in less time: without lengths and samples.
ColourGraph bare(const Overlap& o) {
  ColourGraph graph = without_edges(o);
  const double pairs = static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs);
  graph.edges.reserve(static_cast<std::size_t>(std::min(axis_edges(o), pairs)));
  std::vector<int> last_sender(as_size(graph.rights), -1), met;
  for (int p = 0; p < graph.lefts; ++p) {
    if (is_cyclic(o)) {
      find_receivers(o, p, last_sender, met);
      for (const int q : met) graph.edges.push_back({p, q});
    } else {
      for (const Partner& partner : partners(o, p)) graph.edges.push_back({p, static_cast<int>(partner.peer)});
    }
  }
  complete(graph);
  return graph;
}

// Cuts an axis. Stretches whose length is a multiple of `unit`, hence of both block sizes, differ only in the numbers
// of the processes: those are shifted by the number of blocks of a stretch (THEORY.md, T19). A stretch begins with a
// block of the side that has fewer processes, and so the larger degrees.
Stretches in_stretches(const Overlap& o, Index unit, double max_edges) {
  const Axis& few = o.a.procs <= o.b.procs ? o.a : o.b;
  const Index before = few.first % few.block();
  const auto from_block = [&](Axis axis) {
    const Index cycle = axis.block() * axis.procs;
    axis.first = (axis.first - before) % cycle + cycle;
    return axis;
  };
  const auto wanted = static_cast<Index>(std::ceil(axis_edges(o) / max_edges));
  const Index length = ceil_div(ceil_div(o.n + before, wanted), unit) * unit;
  return {bare({from_block(o.a), from_block(o.b), length}), ceil_div(o.n + before, length), length / o.a.block(),
          length / o.b.block()};
}

}  // namespace

std::size_t Stretches::edge(Index p, Index q) const {
  const std::size_t edges = first.edges.size();
  std::size_t before = 0;
  for (Index h = 1; h < count; ++h, before += edges) {
    if (const std::size_t e = first.edge(p, q); e < edges) return before + e;
    p = modulo(p - left_shift, first.lefts);
    q = modulo(q - right_shift, first.rights);
  }
  return before + first.edge(p, q);
}

WeightedGraph axis_graph(const Overlap& o) { return o.n >= period(o) ? contracted(o) : uncontracted(o); }

WeightedGraph whole_axis_graph(const Overlap& o) {
  const Index length = period(o);
  if (o.n < length) return uncontracted(o);
  WeightedGraph graph = expanded(o);
  const Overlap rest{o.a, o.b, o.n % length};
  if (rest.n == 0 || max_shares(rest) > limits::edges_to_weigh) return graph;
  for (Index& elements : graph.lengths) elements *= o.n / length;
  for (const auto& [p, q, elements] : shares(rest)) graph.lengths[graph.edge(p, q)] += elements;
  graph.periods = 1;
  return graph;
}

Stretches graph_to_colour(const Overlap& o, std::optional<double> max_edges) {
  if (o.n >= period(o)) return {axis_graph(o)};
  const double pieces = axis_edges(o);
  const std::optional<Index> unit = common_blocks(o);
  if (!max_edges || pieces <= *max_edges || !unit || *unit > o.n) return {bare(o)};
  Stretches cut = in_stretches(o, *unit, *max_edges);
  if (pieces > limits::stretches_at_least * *max_edges) return cut;
  const auto sends = static_cast<double>(max_partners(o)), receives = static_cast<double>(max_partners(reversed(o)));
  const double messages = std::min(sends * static_cast<double>(o.a.procs), receives * static_cast<double>(o.b.procs));
  const bool many = messages > limits::messages_to_colour_well;
  const double limit = many ? limits::steps_of_many_stretches : limits::steps_of_stretches;
  const auto few = [&](int Edge::*side, double needed) {
    return static_cast<double>(cut.count * cut.first.max_degree(side)) <= limit * needed;
  };
  return few(&Edge::left, sends) && few(&Edge::right, receives) ? std::move(cut) : Stretches{bare(o)};
}

double axis_edges(const Overlap& o) {
  if (o.n < period(o)) return max_shares(o);
  const Classes c(o);
  return static_cast<double>(c.W) * static_cast<double>(c.n) * static_cast<double>(c.m);
}

}  // namespace xredist::core
