// Schedules by colouring the graph of the messages: for matrices shorter than a period along an axis.
#include <algorithm>
#include <memory>
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

std::vector<int> colours_of(const AxisGraph& graph, int colours) {
  return colour_edges(graph.edges, graph.lefts, graph.rights, colours);
}

// The same side is the heavier on both axes: the product of two optimal schedules is optimal.
Schedule product(std::shared_ptr<const Graph> graph) {
  const int row_steps = std::max(graph->rows.left_most(), graph->rows.right_most());
  const int col_steps = std::max(graph->cols.left_most(), graph->cols.right_most());
  return by_edges(graph, Index{row_steps} * col_steps,
                  [x = colours_of(graph->rows, row_steps), y = colours_of(graph->cols, col_steps), col_steps](
                      std::size_t e, std::size_t f) { return Index{x[e]} * col_steps + y[f]; });
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
  std::vector<int> piece, colour;
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
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e].*side = edges[e].*side * pieces + result.piece[e];
  const bool left = side == &Edge::left;
  result.colour = colour_edges(edges, graph.lefts * (left ? pieces : 1),
                               graph.rights * (left ? 1 : pieces), d);
  return result;
}

// T4: rows heavier on the left, columns on the right. A sender sees one piece of every column edge
// colour and a receiver one piece of every row edge colour, so the sum of the pieces tells apart
// what the colours do not.
Schedule pieces(std::shared_ptr<const Graph> graph) {
  const int B1 = graph->rows.right_most(), A2 = graph->cols.left_most();
  const int turns = static_cast<int>(std::max(ceil_div(graph->rows.left_most(), B1), ceil_div(graph->cols.right_most(), A2)));
  return by_edges(graph, Index{B1} * A2 * turns,
                  [x = cut(graph->rows, &Edge::left, B1), y = cut(graph->cols, &Edge::right, A2), A2, turns](
                      std::size_t e, std::size_t f) {
                    return (Index{x.colour[e]} * A2 + y.colour[f]) * turns + (x.piece[e] + y.piece[f]) % turns;
                  });
}

}  // namespace

Schedule coloured_schedule(const Traffic& traffic) {
  const auto graph = graph_of(traffic);
  const int row_balance = graph->rows.left_most() - graph->rows.right_most();
  const int col_balance = graph->cols.left_most() - graph->cols.right_most();
  if ((row_balance >= 0 && col_balance >= 0) || (row_balance <= 0 && col_balance <= 0)) return product(graph);
  const double places = (1.0 * graph->lefts() + graph->rights()) * graph->degree();
  if (graph->edges() <= most_messages && places <= most_places) return whole(graph);
  if (row_balance < 0) return reversed(coloured_schedule(reversed(traffic)));
  return pieces(graph);
}

}  // namespace xredist
