// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "layout/meetings.hpp"
#include "layout/shares.hpp"
#include "schedule/classes.hpp"

namespace xredist::core {
namespace {

void count_degrees(AxisGraph& graph) {
  graph.left_degree.assign(static_cast<std::size_t>(graph.lefts), 0);
  graph.right_degree.assign(static_cast<std::size_t>(graph.rights), 0);
  for (const Edge& e : graph.edges) {
    ++graph.left_degree[static_cast<std::size_t>(e.left)];
    ++graph.right_degree[static_cast<std::size_t>(e.right)];
  }
}

// Edge (t, i, j) has the number (t n + i) m + j (THEORY.md, T5). Its sample is the message whose sender is the first of
// the left node. p and q have class t iff p r - q s = k0 + t modulo g: p is given modulo a g0, and q modulo b g0.
// `whole`: each of the g0 messages that the edge stands for is an edge, in the order of their senders.
AxisGraph of_classes(const Overlap& o, bool whole) {
  const Classes c(o);
  const Index copies = whole ? c.g0 : 1;
  AxisGraph graph{.lefts = static_cast<int>(whole ? c.P : c.a * c.n),
                  .rights = static_cast<int>(whole ? c.Q : c.b * c.m),
                  .edges = {},
                  .lengths = {},
                  .left_degree = {},
                  .right_degree = {},
                  .samples = {},
                  .periods = static_cast<double>(o.n) / static_cast<double>(period(o)),
                  .edge = {}};
  graph.edge = [c, copies](Index p, Index q) {
    const Index copy = copies == 1 ? 0 : modulo(p - c.p_start, c.P) / c.a % copies;
    return static_cast<std::size_t>(((c.t(p, q) * c.n + c.i(p)) * c.m + c.j(q)) * copies + copy);
  };
  const auto edges = static_cast<std::size_t>(c.W * c.n * c.m * copies);
  graph.edges.reserve(edges);
  graph.lengths.reserve(edges);
  graph.samples.reserve(edges);
  const Index receivers = c.b * c.g0;  // of one copy j
  const Index by_r = inverse(c.r, c.a), by_s = inverse(c.s / c.a, receivers);
  const Index next = c.r % receivers * by_s % receivers;  // from the receiver of p to that of p + a
  for (Index t = 0; t < c.W; ++t) {
    const Index length = c.length(t), residue = modulo((c.k0 + t) % c.a * by_r, c.a);
    for (Index i = 0; i < c.n; ++i) {
      const Index p = i * c.a * c.g0 + residue;
      const Index q = modulo((p * c.r - c.k0 - t) % c.g / c.a % receivers * by_s, receivers);
      for (Index j = 0; j < c.m; ++j)
        for (Index k = 0, x = p, y = q; k < copies; ++k, x += c.a, y = (y + next) % receivers) {
          const Index sender = (x + c.p_start) % c.P, receiver = (y + j * receivers + c.q_start) % c.Q;
          const Index left = whole ? sender : t % c.a * c.n + i, right = whole ? receiver : t % c.b * c.m + j;
          graph.edges.push_back({static_cast<int>(left), static_cast<int>(right)});
          graph.lengths.push_back(length);
          graph.samples.push_back({sender, receiver});
        }
    }
  }
  count_degrees(graph);
  return graph;
}

// The edges of each sender, by receiver.
class Finder {
 public:
  explicit Finder(const AxisGraph& graph) : first_(graph.left_degree.size() + 1, 0) {
    std::partial_sum(graph.left_degree.begin(), graph.left_degree.end(), first_.begin() + 1);
    peers_.reserve(graph.edges.size());
    for (const Edge& e : graph.edges) peers_.push_back(e.right);
  }

  // Their number where there is none.
  std::size_t operator()(Index p, Index q) const {
    const auto at = [&](Index i) { return peers_.begin() + first_[static_cast<std::size_t>(i)]; };
    const auto found = std::lower_bound(at(p), at(p + 1), q);
    return found == at(p + 1) || *found != q ? peers_.size() : static_cast<std::size_t>(found - peers_.begin());
  }

 private:
  std::vector<int> first_, peers_;
};

AxisGraph without_edges(const Overlap& o) {
  return {.lefts = static_cast<int>(o.a.procs),
          .rights = static_cast<int>(o.b.procs),
          .edges = {},
          .lengths = {},
          .left_degree = {},
          .right_degree = {},
          .samples = {},
          .periods = 1,
          .edge = {}};
}

// Edges ordered by sender, then receiver.
AxisGraph uncontracted(const Overlap& o) {
  AxisGraph graph = without_edges(o);
  for (const auto& [p, q, length] : shares(o)) {
    graph.edges.push_back({p, q});
    graph.lengths.push_back(length);
    graph.samples.push_back({p, q});
  }
  count_degrees(graph);
  graph.edge = Finder(graph);
  return graph;
}

// To be coloured only: without what else is to be known of an edge.
AxisGraph bare(const Overlap& o) {
  AxisGraph graph = without_edges(o);
  const double pairs = static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs);
  graph.edges.reserve(static_cast<std::size_t>(std::min(axis_edges(o), pairs)));
  Meetings meetings(o);
  for (int p = 0; p < graph.lefts; ++p)
    for (const int q : meetings.of(p)) graph.edges.push_back({p, q});
  count_degrees(graph);
  graph.edge = Finder(graph);
  return graph;
}

// Stretches whose length is a multiple of `unit`, hence of both block sizes, differ only in the numbers of the
// processes, by as many as a stretch has blocks (THEORY.md, T19). They begin with a block of the side that has fewer
// processes and so the larger degrees.
AxisGraph in_stretches(const Overlap& o, Index unit, double most_edges) {
  const Axis& few = o.a.procs <= o.b.procs ? o.a : o.b;
  const Index before = few.first % few.block;
  const auto from_block = [&](Axis axis) {
    axis.first = (axis.first - before) % (axis.block * axis.procs) + axis.block * axis.procs;
    return axis;
  };
  const auto stretches = static_cast<Index>(std::ceil(axis_edges(o) / most_edges));
  const Index length = ceil_div(ceil_div(o.n + before, stretches), unit) * unit;
  AxisGraph graph = bare({from_block(o.a), from_block(o.b), length});
  graph.stretches = ceil_div(o.n + before, length);
  // A pair that shares elements in several stretches has its message in the first of them.
  graph.edge = [find = std::move(graph.edge), a = o.a, b = o.b, length, edges = graph.edges.size()](Index p, Index q) {
    for (std::size_t h = 0;; ++h) {
      const std::size_t e = find(p, q);
      if (e < edges) return h * edges + e;
      p = modulo(p - length / a.block, a.procs);
      q = modulo(q - length / b.block, b.procs);
    }
  };
  return graph;
}

}  // namespace

int AxisGraph::left_most() const { return *std::ranges::max_element(left_degree); }
int AxisGraph::right_most() const { return *std::ranges::max_element(right_degree); }

AxisGraph axis_graph(const Overlap& o) { return o.n >= period(o) ? of_classes(o, false) : uncontracted(o); }
AxisGraph whole_axis_graph(const Overlap& o) { return o.n >= period(o) ? of_classes(o, true) : uncontracted(o); }

// The whole graph is coloured where stretches have more than a fiftieth more steps than some process has messages, or
// more than a quarter if it has many edges, for then it is not coloured well; but not where it has so many more pieces
// than are to be coloured.
constexpr double most_stretches = 4;

AxisGraph graph_to_colour(const Overlap& o, double most_edges) {
  if (o.n >= period(o)) return axis_graph(o);
  const double pieces = axis_edges(o);
  const std::optional<Index> unit = common_blocks(o);
  if (pieces <= most_edges || !unit || *unit > o.n) return bare(o);
  const auto sends = static_cast<double>(most_partners(o));
  const auto receives = static_cast<double>(most_partners(reversed(o)));
  const double messages = std::min(sends * static_cast<double>(o.a.procs), receives * static_cast<double>(o.b.procs));
  const bool many = messages > 1.5 * most_edges;
  const auto few = [&](const AxisGraph& graph) {
    const auto near = [&](int most, double some) {
      return static_cast<double>(graph.stretches * most) <= (many ? 1.25 : 1.02) * some;
    };
    return near(graph.left_most(), sends) && near(graph.right_most(), receives);
  };
  AxisGraph graph = in_stretches(o, *unit, most_edges);
  return pieces > most_stretches * most_edges || few(graph) ? std::move(graph) : bare(o);
}

double axis_edges(const Overlap& o) {
  if (o.n < period(o)) return most_shares(o);
  const Classes c(o);
  return static_cast<double>(c.W) * static_cast<double>(c.n) * static_cast<double>(c.m);
}

std::size_t Graph::edge(Coord p, Coord q) const {
  return rows.edge(p.row, q.row) * cols.edges.size() + cols.edge(p.col, q.col);
}

std::vector<Edge> Graph::list() const {
  std::vector<Edge> all;
  all.reserve(edges());
  for (const Edge& e : rows.edges)
    for (const Edge& f : cols.edges) all.push_back({e.left * cols.lefts + f.left, e.right * cols.rights + f.right});
  return all;
}

std::vector<Index> Graph::lengths() const {
  std::vector<Index> all;
  all.reserve(edges());
  for (const Index row : rows.lengths)
    for (const Index col : cols.lengths) all.push_back(row * col);
  for (const std::size_t e : own) all[e] = 0;
  return all;
}

Schedule tabulated(std::shared_ptr<const Graph> graph, Index count, std::vector<Parts> table) {
  for (const std::size_t e : graph->own) table[e].assign(1, {0, 1});
  return {count,
          [graph = std::move(graph), table = std::move(table)](Coord p, Coord q) { return table[graph->edge(p, q)]; }};
}

}  // namespace xredist::core
