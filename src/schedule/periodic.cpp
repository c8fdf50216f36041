// SPDX-License-Identifier: BSD-3-Clause
// Step-optimal schedules for matrices of at least a period, by arithmetic (THEORY.md, T13).
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "schedule/classes.hpp"
#include "schedule/colour_edges.hpp"
#include "schedule/limits.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {
namespace {

// The classes of both axes together, whose pairs (row, column) are numbered row-major (THEORY.md, T7). Of the n copies
// of a left node, turns * d1 fill whole turns of windows (T9), unless all of them fit without (T10). `rest_by` says how
// the other copies get windows.
struct Copies {
  enum class RestBy { cells, circles, colours };

  Copies(const Classes& rows, const Classes& cols)
      : row(rows),
        col(cols),
        n(row.n * col.n),
        m(row.m * col.m),
        d1(row.d1 * col.d1),
        d2(row.d2 * col.d2),
        turns(n / d1),
        rest(n - turns * d1),
        first_cut(turns * d2) {
    const auto cells = [](const Classes& c) { return ceil_div(std::min(c.a, c.W), c.b); };
    col_cells = cells(col);
    const auto parallel = [](const Classes& c) { return ceil_div(c.W, c.a * c.b); };
    col_parallel = parallel(col);
    circle = d1 / (parallel(row) * col_parallel);
    // Without turns, a window has classes of neighbouring lengths, so the longest messages share their steps.
    if (n * cells(row) * col_cells <= m) turns = first_cut = 0, rest = n;
    if (rest * cells(row) * col_cells <= m - first_cut)
      rest_by = RestBy::cells;
    else if (row.b * col.b <= circle && ceil_div(row.a * col.a * rest, circle) <= m - first_cut)
      rest_by = RestBy::circles;
  }

  // Returns the number of edges of the small colouring.
  Index edges_to_colour() const { return rest_by == RestBy::colours ? row.W * col.W * rest : 0; }

  Classes row, col;
  Index n, m, d1, d2;
  Index turns, rest;  // h, rho: n = turns d1 + rest
  Index first_cut;    // h d2: the first z of the remaining copies
  Index col_cells, col_parallel;
  Index circle;  // windows of each of the parallel edges of two nodes
  RestBy rest_by = RestBy::colours;
};

// The schedule by windows (THEORY.md, T8). The left side must be the heavier: m d1 >= n d2. Each (t, i) has a window om
// of m steps and a shift z, step = m om + ((j - z) mod m), such that no om occurs twice at a sender, and no (om, z)
// occurs twice at a receiver.
class Periodic {
 public:
  explicit Periodic(const Copies& copies) : copies_(copies), coloured_(coloured_windows(copies)) {}

  Index count() const { return copies_.m * copies_.d1; }

  Index step(Coord p, Coord q) const {
    const Classes &row = copies_.row, &col = copies_.col;
    const Coord t{row.t(p.row, q.row), col.t(p.col, q.col)};
    const Index i = row.i(p.row) * col.n + col.i(p.col);
    const Index j = row.j(q.row) * col.m + col.j(q.col);
    const Window window = window_of(t, i);
    const Index turned = j - window.z;
    return copies_.m * window.om + (turned < 0 ? turned + copies_.m : turned);
  }

 private:
  struct Window {
    Index om, z;  // om < d1, z < m
  };

  Window window_of(Coord t, Index i) const {
    const Copies& c = copies_;
    const Classes &row = c.row, &col = c.col;
    const Index w = t.row / row.a * col.d1 + t.col / col.a;
    if (i < c.turns * c.d1) {  // rotate (T9): d1 copies together use every window d2 times at a receiver
      const Index y = t.row / row.b * col.d2 + t.col / col.b, turn = i / c.d1, om = w + i - turn * c.d1;
      return {om < c.d1 ? om : om - c.d1, y * c.turns + turn};
    }
    const Index left = i - c.turns * c.d1;
    switch (c.rest_by) {
      case Copies::RestBy::cells: {  // window (T10): classes that meet at a receiver in one window differ in their cell
        const Index cell = t.row % row.a / row.b * c.col_cells + t.col % col.a / col.b;
        return {w, c.first_cut + cell * c.rest + left};
      }
      // T11: left nodes and residues of right ones in turn, once for each parallel edge.
      case Copies::RestBy::circles: {
        const auto parallel = [](const Classes& x, Index of) { return of / (x.a * x.b); };
        const Index node = (t.row % row.a * col.a + t.col % col.a) * c.rest + left;
        const Index residue = t.row % row.b * col.b + t.col % col.b;
        const Index edge = parallel(row, t.row) * c.col_parallel + parallel(col, t.col);
        return {edge * c.circle + (node + residue) % c.circle, c.first_cut + node / c.circle};
      }
      case Copies::RestBy::colours: break;
    }
    return at(coloured_, (t.row * col.W + t.col) * c.rest + left);
  }

  // Colours the graph of the copies that fill no turn (T12): the window is the colour, and a receiver's edges are cut
  // into m - first_cut nodes of degree <= d1. Returns the windows in the order of (t, i).
  static std::vector<Window> coloured_windows(const Copies& c) {
    if (c.edges_to_colour() == 0) return {};
    const Classes &row = c.row, &col = c.col;
    const Index cuts = c.m - c.first_cut;
    std::vector<Edge> edges;
    std::vector<Index> taken(as_size(row.b * col.b), 0);
    std::vector<Window> windows;
    windows.reserve(as_size(c.edges_to_colour()));
    for (Index tr = 0; tr < row.W; ++tr)
      for (Index tc = 0; tc < col.W; ++tc)
        for (Index i = 0; i < c.rest; ++i) {
          const Index left = (tr % row.a * col.a + tc % col.a) * c.rest + i;
          const Index right = tr % row.b * col.b + tc % col.b;
          const Index cut = at(taken, right)++ / c.d1;
          edges.push_back({static_cast<int>(left), static_cast<int>(right * cuts + cut)});
          windows.push_back({0, c.first_cut + cut});
        }
    const std::vector<int> colours = colour_edges(edges, static_cast<int>(row.a * col.a * c.rest),
                                                  static_cast<int>(row.b * col.b * cuts), static_cast<int>(c.d1));
    for (std::size_t e = 0; e < edges.size(); ++e) windows[e].om = colours[e];
    return windows;
  }

  Copies copies_;
  std::vector<Window> coloured_;  // of the rest, if colours give the windows
};

// Chooses the classes of a lone process (THEORY.md, T6): one class leaves less to colour; a class for each process of
// the other side fills the steps better.
Copies copies_of(const Traffic& traffic) {
  const Copies many(Classes(traffic.rows), Classes(traffic.cols));
  if (many.edges_to_colour() <= limits::edges_of_small_colouring) return many;
  const Copies one(Classes(traffic.rows, Classes::Lone::one), Classes(traffic.cols, Classes::Lone::one));
  return one.edges_to_colour() < many.edges_to_colour() ? one : many;
}

}  // namespace

Schedule periodic_schedule(const Traffic& traffic) {
  const Classes rows(traffic.rows), cols(traffic.cols);
  const Index row_balance = rows.left_degree() - rows.right_degree();
  const Index col_balance = cols.left_degree() - cols.right_degree();
  const bool two_axes = rows.P * rows.Q > 1 && cols.P * cols.Q > 1;
  if (two_axes && row_balance * col_balance >= 0)
    return product(periodic_schedule(rows_alone(traffic)), periodic_schedule(cols_alone(traffic)));
  if (rows.left_degree() * cols.left_degree() < rows.right_degree() * cols.right_degree())
    return reversed(periodic_schedule(reversed(traffic)));
  auto plan = std::make_shared<const Periodic>(copies_of(traffic));
  return {plan->count(), [plan](Coord p, Coord q) { return Parts(Part{plan->step(p, q), 1}); }};
}

}  // namespace xredist::core
