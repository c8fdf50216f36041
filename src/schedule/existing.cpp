// Schedules by colouring the messages that exist: for matrices shorter than a period.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "schedule/colouring.hpp"
#include "schedule/schedule.hpp"

namespace xredist {
namespace {

// The two-dimensional graph is coloured as a whole up to so many messages, and so many places in the
// table of its nodes' colours: that takes milliseconds and 4 MB.
constexpr std::size_t most_messages = 1 << 15;
constexpr double most_places = 1 << 20;

// The pairs of processes that share elements of one axis, ordered by sender, then receiver.
struct Graph {
  std::vector<Edge> edges;
  std::vector<std::size_t> first;  // of each sender's edges; one more at the end
  std::vector<int> left_degree, right_degree;

  explicit Graph(const Overlap& o) : right_degree(static_cast<std::size_t>(o.b.procs), 0) {
    for (Index p = 0; p < o.a.procs; ++p) {
      first.push_back(edges.size());
      for (const Share& share : shares(o, p)) {
        edges.push_back({static_cast<int>(p), static_cast<int>(share.peer)});
        ++right_degree[static_cast<std::size_t>(share.peer)];
      }
      left_degree.push_back(static_cast<int>(edges.size() - first.back()));
    }
    first.push_back(edges.size());
  }

  int lefts() const { return static_cast<int>(left_degree.size()); }
  int rights() const { return static_cast<int>(right_degree.size()); }
  int left_most() const { return *std::ranges::max_element(left_degree); }
  int right_most() const { return *std::ranges::max_element(right_degree); }

  std::size_t edge(Index p, Index q) const {
    const auto begin = edges.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(p)]);
    const auto end = edges.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(p) + 1]);
    return static_cast<std::size_t>(std::ranges::lower_bound(begin, end, q, {}, &Edge::right) - edges.begin());
  }
};

// step(row edge, column edge), kept with the graphs that number the edges.
template <class Step>
Schedule by_edges(Index count, Graph rows, Graph cols, Step step) {
  struct Kept {
    Graph rows, cols;
    Step step;
  };
  auto kept = std::make_shared<const Kept>(Kept{std::move(rows), std::move(cols), std::move(step)});
  return {count, [kept](Coord p, Coord q) -> Index {
            return kept->step(kept->rows.edge(p.row, q.row), kept->cols.edge(p.col, q.col));
          }};
}

std::vector<int> colours_of(const Graph& graph, int colours) {
  return colour_edges(graph.edges, graph.lefts(), graph.rights(), colours);
}

// The same side is the heavier on both axes: the product of two optimal schedules is optimal.
Schedule product(Graph rows, Graph cols) {
  const int row_steps = std::max(rows.left_most(), rows.right_most());
  const int col_steps = std::max(cols.left_most(), cols.right_most());
  auto step = [x = colours_of(rows, row_steps), y = colours_of(cols, col_steps), col_steps](
                  std::size_t e, std::size_t f) { return Index{x[e]} * col_steps + y[f]; };
  return by_edges(Index{row_steps} * col_steps, std::move(rows), std::move(cols), std::move(step));
}

// Nodes times colours of the graph of all messages.
double places(const Graph& rows, const Graph& cols) {
  const double nodes = 1.0 * rows.lefts() * cols.lefts() + 1.0 * rows.rights() * cols.rights();
  return nodes * std::max(1.0 * rows.left_most() * cols.left_most(), 1.0 * rows.right_most() * cols.right_most());
}

// Colours the graph of all messages.
Schedule whole(Graph rows, Graph cols) {
  std::vector<Edge> edges;
  edges.reserve(rows.edges.size() * cols.edges.size());
  for (const Edge& e : rows.edges)
    for (const Edge& f : cols.edges)
      edges.push_back({e.left * cols.lefts() + f.left, e.right * cols.rights() + f.right});
  const int count = std::max(rows.left_most() * cols.left_most(), rows.right_most() * cols.right_most());
  auto step = [colours = colour_edges(edges, rows.lefts() * cols.lefts(), rows.rights() * cols.rights(), count),
               width = cols.edges.size()](std::size_t e, std::size_t f) -> Index { return colours[e * width + f]; };
  return by_edges(count, std::move(rows), std::move(cols), std::move(step));
}

// One side's nodes cut into pieces of degree <= d, and the edges of the result coloured with d
// colours: edge e is in piece[e] of its node and has colour[e].
struct Cut {
  std::vector<int> piece, colour;
};
Cut cut(const Graph& graph, int Edge::*side, int d) {
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
  result.colour = colour_edges(edges, graph.lefts() * (left ? pieces : 1),
                               graph.rights() * (left ? 1 : pieces), d);
  return result;
}

// T4: rows heavier on the left, columns on the right. A sender sees one piece of every column edge
// colour and a receiver one piece of every row edge colour, so the sum of the pieces tells apart
// what the colours do not.
Schedule pieces(Graph rows, Graph cols) {
  const int B1 = rows.right_most(), A2 = cols.left_most();
  const int turns = std::max((rows.left_most() + B1 - 1) / B1, (cols.right_most() + A2 - 1) / A2);
  auto step = [x = cut(rows, &Edge::left, B1), y = cut(cols, &Edge::right, A2), A2, turns](std::size_t e, std::size_t f) {
    return (Index{x.colour[e]} * A2 + y.colour[f]) * turns + (x.piece[e] + y.piece[f]) % turns;
  };
  return by_edges(Index{B1} * A2 * turns, std::move(rows), std::move(cols), std::move(step));
}

}  // namespace

Schedule existing_schedule(const Traffic& traffic) {
  Graph rows(traffic.rows), cols(traffic.cols);
  const int row_balance = rows.left_most() - rows.right_most();
  const int col_balance = cols.left_most() - cols.right_most();
  if ((row_balance >= 0 && col_balance >= 0) || (row_balance <= 0 && col_balance <= 0))
    return product(std::move(rows), std::move(cols));
  if (rows.edges.size() * cols.edges.size() <= most_messages && places(rows, cols) <= most_places)
    return whole(std::move(rows), std::move(cols));
  if (row_balance < 0) return reversed(existing_schedule(reversed(traffic)));
  return pieces(std::move(rows), std::move(cols));
}

}  // namespace xredist
