// SPDX-License-Identifier: BSD-3-Clause
// Schedules by colouring the graph of the messages (THEORY.md, T14 to T19), for matrices shorter than a period along an
// axis.
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/classes.hpp"
#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {
namespace {

// The two-dimensional graph is coloured as a whole up to so many messages, and so many places in the
// table of its nodes' colours: that takes milliseconds and 4 MB.
constexpr std::size_t most_messages = 1 << 15;
constexpr double most_places = 1 << 20;

// A colouring of the first stretch of an axis; each of the next stretches has as many colours of its own (T19).
struct Colours {
  std::vector<int> first;
  Index each, stretches;

  Index count() const { return each * stretches; }
  Index operator[](std::size_t edge) const {
    return static_cast<Index>(edge / first.size()) * each + first[edge % first.size()];
  }
};

// How many edges an axis's graph may have and, where that is bounded, how far to go for few colours: with more than
// `exact` edges there is one in fifteen more than needed, for then few paths are walked; and these are bounded.
struct Effort {
  double most_edges;

  bool bounded() const { return most_edges < std::numeric_limits<double>::infinity(); }
  bool exact(std::size_t edges) const { return !bounded() || edges <= 60'000; }
  int colours(int least, std::size_t edges) const { return exact(edges) ? least : least + (least + 14) / 15; }
  Index most_steps(std::size_t edges) const {
    if (!bounded()) return std::numeric_limits<Index>::max();
    return exact(edges) ? 250'000 : edges <= 150'000 ? 30'000 : 0;
  }
};

Colours coloured(const std::vector<Edge>& edges, int lefts, int rights, int least, Index stretches, Effort effort) {
  auto first = colour_edges(edges, lefts, rights, effort.colours(least, edges.size()), effort.most_steps(edges.size()));
  const Index each = first.empty() ? 0 : *std::ranges::max_element(first) + 1;
  return {std::move(first), each, stretches};
}
Colours colours_of(const AxisGraph& graph, Effort effort) {
  const int least = std::max(graph.left_most(), graph.right_most());
  return coloured(graph.edges, graph.lefts, graph.rights, least, graph.stretches, effort);
}

// The nodes of one side are cut into pieces of degree <= d and the edges are coloured, with d colours if there are not
// too many edges (T15). Of a message: the piece and the colour.
struct Place {
  Index piece, colour;
};
struct Cut {
  Index pieces, colours;
  std::function<Place(Index p, Index q)> of;
};
Cut cut(AxisGraph graph, int Edge::*side, int d, Effort effort) {
  int pieces = 0;
  std::vector<Edge> edges = graph.edges;
  std::vector<int> seen(std::max(graph.left_degree.size(), graph.right_degree.size()), 0), piece;
  piece.reserve(edges.size());
  const bool left = side == &Edge::left;
  const int nodes = left ? graph.lefts : graph.rights;
  for (Edge& e : edges) {
    piece.push_back(seen[static_cast<std::size_t>(e.*side)]++ / d);
    pieces = std::max(pieces, piece.back() + 1);
    e.*side += piece.back() * nodes;
  }
  Colours colours = coloured(edges, graph.lefts * (left ? pieces : 1), graph.rights * (left ? 1 : pieces), d,
                             graph.stretches, effort);
  const Index count = colours.count();
  return {pieces, count,
          [edge = std::move(graph.edge), piece = std::move(piece), colours = std::move(colours)](Index p, Index q) {
            const std::size_t e = edge(p, q);
            return Place{piece[e % piece.size()], colours[e]};
          }};
}

// Cuts the right nodes, of degree n d2 > m d1, by arithmetic (THEORY.md, T16).
Cut cut_right(const Classes& c) {
  const Index turns = ceil_div(c.n, c.d1);
  return {ceil_div(c.d2 * turns, c.m), c.m * c.d1, [c, turns](Index p, Index q) {
            const Index t = c.t(p, q), i = c.i(p), om = (t / c.a + i) % c.d1, number = t / c.b * turns + i / c.d1;
            return Place{number / c.m, c.m * om + modulo(c.j(q) - number, c.m)};
          }};
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
Side side_of(const Overlap& o, Effort effort) {
  if (o.n >= period(o) && axis_edges(o) > most_edges_to_colour) {
    const Classes c(o);
    return {o, std::nullopt, c.m * c.d1, c.n * c.d2};
  }
  AxisGraph graph = graph_to_colour(o, effort.most_edges);
  const Index left = graph.left_most(), right = graph.right_most();
  return {o, std::move(graph), left, right};
}
AxisGraph graph_of(Side side) { return side.graph ? *std::move(side.graph) : axis_graph(side.axis); }

// By arithmetic (T16) where there is no graph and the formula makes no more pieces than there must be.
Cut cut_left(Side side, Effort effort) {
  if (!side.graph)
    if (Cut found = cut_right(Classes(reversed(side.axis))); found.pieces == ceil_div(side.left, side.right))
      return {found.pieces, found.colours, [of = std::move(found.of)](Index p, Index q) { return of(q, p); }};
  const auto d = static_cast<int>(side.right);
  return cut(graph_of(std::move(side)), &Edge::left, d, effort);
}
Cut cut_right(Side side, Effort effort) {
  if (!side.graph)
    if (Cut found = cut_right(Classes(side.axis)); found.pieces == ceil_div(side.right, side.left)) return found;
  const auto d = static_cast<int>(side.left);
  return cut(graph_of(std::move(side)), &Edge::right, d, effort);
}

// x is heavier on the left, y on the right (THEORY.md, T15). A sender sees one piece of every edge colour of y and a
// receiver one piece of every edge colour of x, so the sum of the pieces tells apart what the colours do not.
Schedule pieces(Side x_side, Index Coord::*x_place, Side y_side, Index Coord::*y_place, Effort effort) {
  Cut x = cut_left(std::move(x_side), effort), y = cut_right(std::move(y_side), effort);
  const Index turns = std::max(x.pieces, y.pieces), width = y.colours;
  return {x.colours * width * turns,
          [x = std::move(x.of), x_place, y = std::move(y.of), y_place, width, turns](Coord p, Coord q) {
            const Place a = x(p.*x_place, q.*x_place), b = y(p.*y_place, q.*y_place);
            return Parts{{(a.colour * width + b.colour) * turns + (a.piece + b.piece) % turns, 1}};
          }};
}

// As if the other axis had one element.
Schedule alone(Side side, Index Coord::*place, Effort effort) {
  const Traffic traffic = place == &Coord::row ? Traffic{side.axis, point} : Traffic{point, side.axis};
  if (!side.graph) return periodic_schedule(traffic);
  Colours colours = colours_of(*side.graph, effort);
  const Index count = colours.count();
  return {count, [edge = std::move(side.graph->edge), place, colours = std::move(colours)](Coord p, Coord q) {
            return Parts{{colours[edge(p.*place, q.*place)], 1}};
          }};
}

}  // namespace

Schedule coloured_schedule(const Traffic& traffic, double most_edges) {
  const Effort effort{most_edges};
  Side rows = side_of(traffic.rows, effort), cols = side_of(traffic.cols, effort);
  const Index row_balance = rows.left - rows.right, col_balance = cols.left - cols.right;
  // The same side is the heavier on both axes: the product of two optimal schedules is optimal (THEORY.md, T3).
  if ((row_balance >= 0 && col_balance >= 0) || (row_balance <= 0 && col_balance <= 0))
    return product(alone(std::move(rows), &Coord::row, effort), alone(std::move(cols), &Coord::col, effort));
  const auto edges = static_cast<std::size_t>(rows.edges() * cols.edges());
  if (rows.graph && cols.graph && rows.graph->stretches * cols.graph->stretches == 1 && edges <= most_messages) {
    const auto graph = std::make_shared<const Graph>(Graph{*rows.graph, *cols.graph});
    const double places = (1.0 * graph->lefts() + graph->rights()) * graph->degree();
    if (places <= most_places) return coloured(graph, colours_of(*graph));
  }
  return row_balance > 0 ? pieces(std::move(rows), &Coord::row, std::move(cols), &Coord::col, effort)
                         : pieces(std::move(cols), &Coord::col, std::move(rows), &Coord::row, effort);
}

}  // namespace xredist::core
