// SPDX-License-Identifier: BSD-3-Clause
// Schedules by colouring the graph of the messages (THEORY.md, T14 to T19), for matrices that are shorter than a period
// along an axis.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "schedule/classes.hpp"
#include "schedule/graph.hpp"
#include "schedule/limits.hpp"

namespace xredist::core {
namespace {

// A colouring of the first stretch of an axis; each further stretch has as many colours of its own (T19).
struct Colours {
  std::vector<int> first;
  Index each, stretches;

  Index count() const { return each * stretches; }
  Index operator[](std::size_t edge) const {
    return static_cast<Index>(edge / first.size()) * each + first[edge % first.size()];
  }
};

// The work that a colouring may take: edges of an axis up to `max_edges`, and the limits of limits.hpp. Unbounded if
// `max_edges` is not set.
struct Effort {
  std::optional<double> max_edges;

  bool exact(std::size_t edges) const { return !max_edges || edges <= limits::edges_to_colour_exactly; }
  int colours(int minimum, std::size_t edges) const {
    constexpr int each = limits::colours_per_spare_colour;
    return exact(edges) ? minimum : minimum + (minimum + each - 1) / each;
  }
  std::optional<Index> max_recoloured(std::size_t edges) const {
    if (!max_edges) return std::nullopt;
    if (exact(edges)) return limits::recoloured_if_exact;
    return edges <= limits::edges_to_recolour ? limits::recoloured_if_large : limits::recoloured_if_huge;
  }
};

Colours colour_axis(const std::vector<Edge>& edges, int lefts, int rights, int minimum, Index stretches,
                    Effort effort) {
  const std::size_t count = edges.size();
  auto first = colour_edges(edges, lefts, rights, effort.colours(minimum, count), effort.max_recoloured(count));
  const Index each = first.empty() ? 0 : std::ranges::max(first) + 1;
  return {std::move(first), each, stretches};
}
Colours colour_axis(const Stretches& axis, Effort effort) {
  const ColourGraph& first = axis.first;
  const int minimum = std::max(first.max_degree(&Edge::left), first.max_degree(&Edge::right));
  return colour_axis(first.edges, first.lefts, first.rights, minimum, axis.count, effort);
}

// Nodes of one side that are cut into pieces, with a proper colouring of the result (T15): for a message p -> q, the
// piece of its node, and its colour.
struct PieceColour {
  Index piece, colour;
};
struct Cut {
  Index pieces, colours;
  std::function<PieceColour(Index p, Index q)> of;
};

// Cuts the nodes of one side into pieces of degree <= d, and colours the edges with d colours (more if Effort says so).
Cut cut_by_colouring(Stretches axis, int Edge::*side, int d, Effort effort) {
  const ColourGraph& graph = axis.first;
  int pieces = 0;
  std::vector<Edge> edges = graph.edges;
  const bool left = side == &Edge::left;
  const int nodes = left ? graph.lefts : graph.rights;
  std::vector<int> seen(as_size(nodes), 0), piece;
  piece.reserve(edges.size());
  for (Edge& e : edges) {
    piece.push_back(at(seen, e.*side)++ / d);
    pieces = std::max(pieces, piece.back() + 1);
    e.*side += piece.back() * nodes;
  }
  Colours colours =
      colour_axis(edges, graph.lefts * (left ? pieces : 1), graph.rights * (left ? 1 : pieces), d, axis.count, effort);
  const Index count = colours.count();
  return {pieces, count,
          [axis = std::move(axis), piece = std::move(piece), colours = std::move(colours)](Index p, Index q) {
            const std::size_t e = axis.edge(p, q);
            return PieceColour{piece[e % piece.size()], colours[e]};
          }};
}

// Cuts the right nodes, of degree n d2 > m d1, by arithmetic (THEORY.md, T16).
Cut cut_by_arithmetic(const Classes& c) {
  const Index turns = ceil_div(c.n, c.d1);
  return {ceil_div(c.d2 * turns, c.m), c.m * c.d1, [c, turns](Index p, Index q) {
            const Index t = c.t(p, q), i = c.i(p), om = (t / c.a + i) % c.d1, number = t / c.b * turns + i / c.d1;
            return PieceColour{number / c.m, c.m * om + modulo(c.j(q) - number, c.m)};
          }};
}

// One axis with its graph, unless Classes suffices, and the maximum degrees of its nodes.
struct Side {
  Overlap axis;
  std::optional<Stretches> graph;
  Index left, right;

  double edges() const { return graph ? static_cast<double>(graph->first.edges.size()) : axis_edges(axis); }
};
Side side_of(const Overlap& o, Effort effort) {
  if (o.n >= period(o) && axis_edges(o) > limits::edges_to_colour_if_periodic) {
    const Classes c(o);
    return {o, std::nullopt, c.left_degree(), c.right_degree()};
  }
  Stretches graph = graph_to_colour(o, effort.max_edges);
  const Index left = graph.first.max_degree(&Edge::left), right = graph.first.max_degree(&Edge::right);
  return {o, std::move(graph), left, right};
}

// Cuts the heavier side: by arithmetic (T16) if there is no graph and the formula makes the minimum number of pieces.
// Without T16, a plan of 1x1011 -> 4x208 processes takes 10.4 ms instead of less than 3.
Cut cut_heavier_side(Side side, Effort effort) {
  const bool left = side.left > side.right;
  const Index heavier = std::max(side.left, side.right), lighter = std::min(side.left, side.right);
  if (!side.graph) {
    Cut found = cut_by_arithmetic(Classes(left ? reversed(side.axis) : side.axis));
    if (left) found.of = [of = std::move(found.of)](Index p, Index q) { return of(q, p); };
    if (found.pieces == ceil_div(heavier, lighter)) return found;
  }
  Stretches graph = side.graph ? *std::move(side.graph) : Stretches{axis_graph(side.axis)};
  return cut_by_colouring(std::move(graph), left ? &Edge::left : &Edge::right, static_cast<int>(lighter), effort);
}

// Returns the schedule of T15; x is heavier on the left, y on the right. Two messages of a sender that have equal
// colours on both axes are one edge of y, so they have one piece of y and different pieces of x; for a receiver,
// exchange x and y. So the sum of both pieces tells the messages apart. Example: 1x2 -> 2x1 processes. Sender row 0 is
// cut into two pieces, and so is receiver column 0. Each axis has one colour, so sender (0, i) and receiver (j, 0) meet
// in step (i + j) modulo 2.
Schedule pieces(Side x_side, Index Coord::*x_axis, Side y_side, Index Coord::*y_axis, Effort effort) {
  Cut x = cut_heavier_side(std::move(x_side), effort), y = cut_heavier_side(std::move(y_side), effort);
  const Index turns = std::max(x.pieces, y.pieces), width = y.colours;
  return {x.colours * width * turns,
          [x = std::move(x.of), x_axis, y = std::move(y.of), y_axis, width, turns](Coord p, Coord q) {
            const PieceColour a = x(p.*x_axis, q.*x_axis), b = y(p.*y_axis, q.*y_axis);
            return Parts(Part{(a.colour * width + b.colour) * turns + (a.piece + b.piece) % turns, 1});
          }};
}

// Returns the schedule of one axis as if the other had one element.
Schedule alone(Side side, Index Coord::*axis, Effort effort) {
  const Traffic traffic = axis == &Coord::row ? Traffic{side.axis, point} : Traffic{point, side.axis};
  if (!side.graph) return periodic_schedule(traffic);
  Colours colours = colour_axis(*side.graph, effort);
  const Index count = colours.count();
  return {count, [graph = *std::move(side.graph), axis, colours = std::move(colours)](Coord p, Coord q) {
            return Parts(Part{colours[graph.edge(p.*axis, q.*axis)], 1});
          }};
}

// Colours the graph of both axes as a whole (T1).
Schedule whole(ColourGraph rows, ColourGraph cols, int degree) {
  auto colours = colour_edges(edges_of(rows, cols), rows.lefts * cols.lefts, rows.rights * cols.rights, degree);
  const std::size_t width = cols.edges.size();
  return {degree, [row = std::move(rows.edge), col = std::move(cols.edge), width, colours = std::move(colours)](
                      Coord p, Coord q) {
            return Parts(Part{colours[row(p.row, q.row) * width + col(p.col, q.col)], 1});
          }};
}

}  // namespace

Schedule coloured_schedule(const Traffic& traffic, std::optional<double> max_edges) {
  const Effort effort{max_edges};
  Side rows = side_of(traffic.rows, effort), cols = side_of(traffic.cols, effort);
  const Index row_balance = rows.left - rows.right, col_balance = cols.left - cols.right;
  // The same side is heavier on both axes: the product of two optimal schedules is optimal (THEORY.md, T3).
  if ((row_balance >= 0 && col_balance >= 0) || (row_balance <= 0 && col_balance <= 0))
    return product(alone(std::move(rows), &Coord::row, effort), alone(std::move(cols), &Coord::col, effort));
  const auto messages = static_cast<std::size_t>(rows.edges() * cols.edges());
  if (rows.graph && cols.graph && rows.graph->count * cols.graph->count == 1 &&
      messages <= limits::messages_to_colour) {
    ColourGraph &row = rows.graph->first, &col = cols.graph->first;
    const int degree = degree_of(row, col);
    if ((1.0 * row.lefts * col.lefts + row.rights * col.rights) * degree <= limits::node_colours)
      return whole(std::move(row), std::move(col), degree);
  }
  return row_balance > 0 ? pieces(std::move(rows), &Coord::row, std::move(cols), &Coord::col, effort)
                         : pieces(std::move(cols), &Coord::col, std::move(rows), &Coord::row, effort);
}

}  // namespace xredist::core
