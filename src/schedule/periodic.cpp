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

// The schedule by windows (THEORY.md, T8) of both axes together, whose pairs (row, column) are numbered row-major (T7).
// The left side must be the heavier: m d1 >= n d2. Each (t, i) has a window om of m steps and a shift z, step = m om +
// ((j - z) mod m), such that no om occurs twice at a sender, and no (om, z) occurs twice at a receiver.
class Periodic {
 public:
  Periodic(const Classes& rows, const Classes& cols)
      : row_(rows),
        col_(cols),
        n_(row_.n * col_.n),
        m_(row_.m * col_.m),
        d1_(row_.d1 * col_.d1),
        d2_(row_.d2 * col_.d2),
        turns_(n_ / d1_),
        rest_(n_ - turns_ * d1_),
        first_cut_(turns_ * d2_) {
    const auto cells = [](const Classes& c) { return ceil_div(std::min(c.a, c.W), c.b); };
    col_cells_ = cells(col_);
    windows_fit_ = rest_ * cells(row_) * col_cells_ <= m_ - first_cut_;
    const auto parallel = [](const Classes& c) { return ceil_div(c.W, c.a * c.b); };
    col_parallel_ = parallel(col_);
    circle_ = d1_ / (parallel(row_) * col_parallel_);
    circles_fit_ = row_.b * col_.b <= circle_ && ceil_div(row_.a * col_.a * rest_, circle_) <= m_ - first_cut_;
  }

  // Returns the number of edges of the small colouring.
  Index edges_to_colour() const { return windows_fit_ || circles_fit_ ? 0 : row_.W * col_.W * rest_; }
  // Does the small colouring, which step() needs.
  void prepare() {
    if (edges_to_colour() > 0) colour_rest();
  }

  Index count() const { return m_ * d1_; }

  Index step(Coord p, Coord q) const {
    const Coord t{row_.t(p.row, q.row), col_.t(p.col, q.col)};
    const Index i = row_.i(p.row) * col_.n + col_.i(p.col);
    const Index j = row_.j(q.row) * col_.m + col_.j(q.col);
    const Window window = window_of(t, i);
    return m_ * window.om + modulo(j - window.z, m_);
  }

 private:
  struct Window {
    Index om, z;
  };

  Window window_of(Coord t, Index i) const {
    const Index w = t.row / row_.a * col_.d1 + t.col / col_.a;
    if (i < turns_ * d1_) {  // rotate (T9): d1 copies together use every window d2 times at a receiver
      const Index y = t.row / row_.b * col_.d2 + t.col / col_.b;
      return {(w + i) % d1_, y * turns_ + i / d1_};
    }
    const Index left = i - turns_ * d1_;
    if (windows_fit_) {  // window (T10): classes that meet at a receiver in one window differ in their cell
      const Index cell = t.row % row_.a / row_.b * col_cells_ + t.col % col_.a / col_.b;
      return {w, first_cut_ + cell * rest_ + left};
    }
    if (circles_fit_) {  // circles (T11): left nodes and residues of right ones in turn, once for each parallel edge
      const auto parallel = [](const Classes& c, Index of) { return of / (c.a * c.b); };
      const Index node = (t.row % row_.a * col_.a + t.col % col_.a) * rest_ + left;
      const Index residue = t.row % row_.b * col_.b + t.col % col_.b;
      const Index edge = parallel(row_, t.row) * col_parallel_ + parallel(col_, t.col);
      return {edge * circle_ + (node + residue) % circle_, first_cut_ + node / circle_};
    }
    return at(rest_windows_, (t.row * col_.W + t.col) * rest_ + left);
  }

  // Colours the graph of the rest_ < d1 copies that fill no turn (T12): the window is the colour, and a receiver's
  // edges are cut into m - first_cut_ nodes of degree <= d1.
  void colour_rest() {
    const Index cuts = m_ - first_cut_;
    std::vector<Edge> edges;
    std::vector<Index> taken(as_size(row_.b * col_.b), 0);
    rest_windows_.reserve(as_size(row_.W * col_.W * rest_));
    for (Index tr = 0; tr < row_.W; ++tr)
      for (Index tc = 0; tc < col_.W; ++tc)
        for (Index i = 0; i < rest_; ++i) {
          const Index left = (tr % row_.a * col_.a + tc % col_.a) * rest_ + i;
          const Index right = tr % row_.b * col_.b + tc % col_.b;
          const Index cut = at(taken, right)++ / d1_;
          edges.push_back({static_cast<int>(left), static_cast<int>(right * cuts + cut)});
          rest_windows_.push_back({0, first_cut_ + cut});
        }
    const std::vector<int> colours = colour_edges(edges, static_cast<int>(row_.a * col_.a * rest_),
                                                  static_cast<int>(row_.b * col_.b * cuts), static_cast<int>(d1_));
    for (std::size_t e = 0; e < edges.size(); ++e) rest_windows_[e].om = colours[e];
  }

  Classes row_, col_;
  Index n_, m_, d1_, d2_;
  Index turns_, rest_;  // h, rho: n = turns d1 + rest
  Index first_cut_;     // h d2: the first z of the remaining copies
  Index col_cells_ = 1, col_parallel_ = 1;
  Index circle_ = 0;  // windows of each of the parallel edges of two nodes
  bool windows_fit_ = false, circles_fit_ = false;
  std::vector<Window> rest_windows_;
};

// Chooses the classes of a lone process (THEORY.md, T6): one class leaves less to colour; a class for each process of
// the other side fills the steps better.
Periodic prepared(const Traffic& traffic) {
  Periodic plan(Classes(traffic.rows), Classes(traffic.cols));
  if (plan.edges_to_colour() > limits::edges_of_small_colouring) {
    const Periodic other(Classes(traffic.rows, Classes::Lone::one), Classes(traffic.cols, Classes::Lone::one));
    if (other.edges_to_colour() < plan.edges_to_colour()) plan = other;
  }
  plan.prepare();
  return plan;
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
  auto plan = std::make_shared<const Periodic>(prepared(traffic));
  return {plan->count(), [plan](Coord p, Coord q) { return Parts{{plan->step(p, q), 1}}; }};
}

}  // namespace xredist::core
