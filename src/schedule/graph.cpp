#include "schedule/graph.hpp"

#include <algorithm>
#include <utility>

#include "schedule/classes.hpp"

namespace xredist {
namespace {

void count_degrees(AxisGraph& graph) {
  graph.left_degree.assign(static_cast<std::size_t>(graph.lefts), 0);
  graph.right_degree.assign(static_cast<std::size_t>(graph.rights), 0);
  for (const Edge& e : graph.edges) {
    ++graph.left_degree[static_cast<std::size_t>(e.left)];
    ++graph.right_degree[static_cast<std::size_t>(e.right)];
  }
}

// Edge (t, i, j) is number (t n + i) m + j. One process stands for all of its left node.
AxisGraph contracted(const Overlap& o) {
  const Classes c(o);
  const Overlap once{o.a, o.b, period(o)};
  AxisGraph graph{.lefts = static_cast<int>(c.a * c.n), .rights = static_cast<int>(c.b * c.m), .edges = {},
                  .lengths = {}, .left_degree = {}, .right_degree = {}, .samples = {},
                  .periods = static_cast<double>(o.n) / static_cast<double>(once.n),
                  .edge = [c](Index p, Index q) {
                    return static_cast<std::size_t>((c.t(p, q) * c.n + c.i(p)) * c.m + c.j(q));
                  }};
  graph.edges.resize(static_cast<std::size_t>(c.W * c.n * c.m));
  graph.lengths.resize(graph.edges.size());
  graph.samples.resize(graph.edges.size());
  std::vector<bool> seen(static_cast<std::size_t>(graph.lefts), false);
  for (Index p = 0; p < c.P; ++p) {
    const Index left = c.left(p) * c.n + c.i(p);
    if (seen[static_cast<std::size_t>(left)]) continue;
    seen[static_cast<std::size_t>(left)] = true;
    for (const Share& share : shares(once, p)) {
      const std::size_t e = graph.edge(p, share.peer);
      graph.edges[e] = {static_cast<int>(left), static_cast<int>(c.right(share.peer) * c.m + c.j(share.peer))};
      graph.lengths[e] = share.length;
      graph.samples[e] = {p, share.peer};
    }
  }
  count_degrees(graph);
  return graph;
}

// Edges ordered by sender, then receiver.
AxisGraph uncontracted(const Overlap& o) {
  AxisGraph graph{.lefts = static_cast<int>(o.a.procs), .rights = static_cast<int>(o.b.procs), .edges = {},
                  .lengths = {}, .left_degree = {}, .right_degree = {}, .samples = {}, .periods = 1, .edge = {}};
  std::vector<std::size_t> first;  // of each sender's edges
  std::vector<Index> peers;
  for (Index p = 0; p < o.a.procs; ++p) {
    first.push_back(peers.size());
    for (const Share& share : shares(o, p)) {
      graph.edges.push_back({static_cast<int>(p), static_cast<int>(share.peer)});
      graph.lengths.push_back(share.length);
      graph.samples.push_back({p, share.peer});
      peers.push_back(share.peer);
    }
  }
  first.push_back(peers.size());
  graph.edge = [first = std::move(first), peers = std::move(peers)](Index p, Index q) {
    const auto at = [&](Index i) { return peers.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(i)]); };
    return static_cast<std::size_t>(std::lower_bound(at(p), at(p + 1), q) - peers.begin());
  };
  count_degrees(graph);
  return graph;
}

}  // namespace

int AxisGraph::left_most() const { return *std::ranges::max_element(left_degree); }
int AxisGraph::right_most() const { return *std::ranges::max_element(right_degree); }

AxisGraph axis_graph(const Overlap& o) { return o.n >= period(o) ? contracted(o) : uncontracted(o); }

double axis_edges(const Overlap& o) {
  if (o.n < period(o)) {
    const auto blocks = [&](const Axis& axis) { return axis.procs == 1 ? 1.0 : 1.0 * static_cast<double>(o.n / axis.block) + 2; };
    return blocks(o.a) + blocks(o.b);
  }
  const Classes c(o);
  return static_cast<double>(c.W) * static_cast<double>(c.n) * static_cast<double>(c.m);
}

int Graph::degree() const {
  return std::max(rows.left_most() * cols.left_most(), rows.right_most() * cols.right_most());
}

std::size_t Graph::edge(Coord p, Coord q) const {
  return rows.edge(p.row, q.row) * cols.edges.size() + cols.edge(p.col, q.col);
}

std::vector<Edge> Graph::list() const {
  std::vector<Edge> all;
  all.reserve(edges());
  for (const Edge& e : rows.edges)
    for (const Edge& f : cols.edges)
      all.push_back({e.left * cols.lefts + f.left, e.right * cols.rights + f.right});
  return all;
}

std::vector<Index> Graph::lengths() const {
  std::vector<Index> all;
  all.reserve(edges());
  for (const Index row : rows.lengths)
    for (const Index col : cols.lengths) all.push_back(row * col);
  return all;
}

std::shared_ptr<const Graph> graph_of(const Traffic& traffic) {
  return std::make_shared<const Graph>(Graph{axis_graph(traffic.rows), axis_graph(traffic.cols)});
}

Schedule tabulated(std::shared_ptr<const Graph> graph, Index count, std::vector<Parts> table) {
  return {count, [graph = std::move(graph), table = std::move(table)](Coord p, Coord q) { return table[graph->edge(p, q)]; }};
}

}  // namespace xredist
