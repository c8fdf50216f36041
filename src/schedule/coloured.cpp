// Schedules by colouring the graph of the messages: for matrices shorter than a period along an axis.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/classes.hpp"
#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist {
namespace {

// The two-dimensional graph is coloured as a whole up to so many messages, and so many places in the
// table of its nodes' colours: that takes milliseconds and 4 MB.
constexpr std::size_t most_messages = 1 << 15;
constexpr double most_places = 1 << 20;

// Gives each message the step of its edge: step(row edge, column edge).
template <class Step>
Schedule by_edges(std::shared_ptr<const Graph> graph, Index count, Step step) {
  return {count, [graph = std::move(graph), step = std::move(step)](Coord p, Coord q) {
            return Parts{{step(graph->rows.edge(p.row, q.row), graph->cols.edge(p.col, q.col)), 1}};
          }};
}

// A colouring of one stretch of an axis, and after it that of the next in other colours.
struct Colours {
  std::vector<int> first;
  Index each, stretches;

  Index count() const { return each * stretches; }
  Index operator[](std::size_t edge) const {
    return static_cast<Index>(edge / first.size()) * each + first[edge % first.size()];
  }
};
Colours colours_of(const AxisGraph& graph) {
  const int count = std::max(graph.left_most(), graph.right_most());
  return {colour_edges(graph.edges, graph.lefts, graph.rights, count), count, graph.stretches};
}

// Colours the graph of all messages.
Schedule whole(std::shared_ptr<const Graph> graph) {
  const int count = graph->degree();
  return by_edges(graph, count,
                  [colours = colour_edges(graph->list(), graph->lefts(), graph->rights(), count),
                   width = graph->cols.edges.size()](std::size_t e, std::size_t f) { return Index{colours[e * width + f]}; });
}

// One side's nodes cut into pieces of degree <= d, and the edges of the result coloured with d
// colours: edge e is in piece[e] of its node and has colour[e].
struct Cut {
  std::vector<int> piece;
  Colours colour;

  int piece_of(std::size_t edge) const { return piece[edge % piece.size()]; }
};
Cut cut(const AxisGraph& graph, int Edge::*side, int d) {
  int pieces = 0;
  std::vector<Edge> edges = graph.edges;
  std::vector<int> seen(std::max(graph.left_degree.size(), graph.right_degree.size()), 0);
  Cut result;
  for (const Edge& e : edges) {
    result.piece.push_back(seen[static_cast<std::size_t>(e.*side)]++ / d);
    pieces = std::max(pieces, result.piece.back() + 1);
  }
  const bool left = side == &Edge::left;
  const int nodes = left ? graph.lefts : graph.rights;
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e].*side += result.piece[e] * nodes;
  const int lefts = graph.lefts * (left ? pieces : 1), rights = graph.rights * (left ? 1 : pieces);
  result.colour = {colour_edges(edges, lefts, rights, d), d, graph.stretches};
  return result;
}

// T4: rows heavier on the left, columns on the right. A sender sees one piece of every column edge
// colour and a receiver one piece of every row edge colour, so the sum of the pieces tells apart
// what the colours do not.
Schedule pieces(std::shared_ptr<const Graph> graph) {
  const int B1 = graph->rows.right_most(), A2 = graph->cols.left_most();
  const int turns = static_cast<int>(std::max(ceil_div(graph->rows.left_most(), B1), ceil_div(graph->cols.right_most(), A2)));
  Cut x = cut(graph->rows, &Edge::left, B1), y = cut(graph->cols, &Edge::right, A2);
  const Index width = y.colour.count(), count = x.colour.count() * width * turns;
  return by_edges(std::move(graph), count,
                  [x = std::move(x), y = std::move(y), width, turns](std::size_t e, std::size_t f) {
                    return (x.colour[e] * width + y.colour[f]) * turns + (x.piece_of(e) + y.piece_of(f)) % turns;
                  });
}

// The contracted graph of an axis of at least a period is coloured up to so many edges, for its steps then are better
// filled; larger ones have their schedule by arithmetic.
constexpr double most_edges_to_colour = 1 << 16;

// One axis: what Classes says of it, or its graph.
struct Side {
  Overlap axis;
  std::optional<AxisGraph> graph;
  Index left, right;  // degrees

  double edges() const { return graph ? static_cast<double>(graph->edges.size()) : axis_edges(axis); }
};
Side side_of(const Overlap& o, double most_edges) {
  if (o.n >= period(o) && axis_edges(o) > most_edges_to_colour) {
    const Classes c(o);
    return {o, std::nullopt, c.m * c.d1, c.n * c.d2};
  }
  AxisGraph graph = graph_to_colour(o, most_edges);
  const Index left = graph.left_most(), right = graph.right_most();
  return {o, std::move(graph), left, right};
}

AxisGraph graph_of(Side side) { return side.graph ? *std::move(side.graph) : axis_graph(side.axis); }

// As if the other axis had one element.
Schedule alone(Side side, Index Coord::*place) {
  const Traffic traffic = place == &Coord::row ? Traffic{side.axis, point} : Traffic{point, side.axis};
  if (!side.graph) return periodic_schedule(traffic);
  auto graph = std::make_shared<const AxisGraph>(*std::move(side.graph));
  Colours colours = colours_of(*graph);
  const Index count = colours.count();
  return {count, [graph, place, colours = std::move(colours)](Coord p, Coord q) {
            return Parts{{colours[graph->edge(p.*place, q.*place)], 1}};
          }};
}

}  // namespace

Schedule coloured_schedule(const Traffic& traffic, double most_edges) {
  Side rows = side_of(traffic.rows, most_edges), cols = side_of(traffic.cols, most_edges);
  const Index row_balance = rows.left - rows.right, col_balance = cols.left - cols.right;
  // The same side is the heavier on both axes: the product of two optimal schedules is optimal.
  if ((row_balance >= 0 && col_balance >= 0) || (row_balance <= 0 && col_balance <= 0))
    return product(alone(std::move(rows), &Coord::row), alone(std::move(cols), &Coord::col));
  const double least = std::max(rows.edges(), cols.edges());  // edges of both, or fewer
  if (row_balance < 0 && least > most_messages) return reversed(coloured_schedule(reversed(traffic), most_edges));
  auto graph = std::make_shared<const Graph>(Graph{graph_of(std::move(rows)), graph_of(std::move(cols))});
  const double places = (1.0 * graph->lefts() + graph->rights()) * graph->degree();
  const bool stretched = graph->rows.stretches * graph->cols.stretches > 1;
  if (!stretched && graph->edges() <= most_messages && places <= most_places) return whole(graph);
  if (row_balance < 0) return reversed(coloured_schedule(reversed(traffic), most_edges));
  return pieces(graph);
}

}  // namespace xredist
