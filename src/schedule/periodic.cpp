// Step-optimal schedules for matrices of at least a period, by arithmetic. Theory: schedule/THEORY.md.
#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "schedule/colouring.hpp"
#include "schedule/schedule.hpp"

namespace xredist {
namespace {

Index modulo(Index x, Index y) { return ((x % y) + y) % y; }
Index ceil_div(Index x, Index y) { return x >= 0 ? (x + y - 1) / y : -(-x / y); }

// One axis, in the letters of the theory. p and q are counted from the owners of element 0.
struct Classes {
  Index P, Q, p_start, q_start;
  Index r, s, g, k0;
  Index W;       // live classes t in [0, W)
  Index a, b;    // s', r': residues of t that a sender, a receiver sees
  Index n, m;    // n1, n2: copies of each left, each right node
  Index g0;
  Index d1, d2;  // classes at a left, at a right node: ceil(W / a), ceil(W / b)

  explicit Classes(const Overlap& o);

  Index t(Index p, Index q) const {
    return modulo(modulo(p - p_start, P) * r - modulo(q - q_start, Q) * s - k0, g);
  }
  Index i(Index p) const { return modulo(p - p_start, P) / (a * g0); }
  Index j(Index q) const { return modulo(q - q_start, Q) / (b * g0); }
};

Classes::Classes(const Overlap& o)
    : P(o.a.procs), Q(o.b.procs), p_start(owner(o.a, 0)), q_start(owner(o.b, 0)) {
  Index r0 = o.a.block, s0 = o.b.block;
  Index oa = o.a.first % r0, ob = o.b.first % s0;
  if (P == 1) {  // one process: its block may as well be the other side's cycle
    r0 = Q == 1 ? s0 : Q * s0;
    oa = ob;
  } else if (Q == 1) {
    s0 = P * r0;
    ob = oa;
  }
  const Index D = std::gcd(r0, s0);
  r = r0 / D;
  s = s0 / D;
  a = std::gcd(s, P);
  b = std::gcd(r, Q);
  g0 = std::gcd(P / a, Q / b);
  g = a * b * g0;
  n = P / a / g0;
  m = Q / b / g0;
  k0 = ceil_div(1 - r0 + oa - ob, D);
  const Index k1 = -ceil_div(-(s0 - 1 + oa - ob), D);
  W = std::min(k1 - k0 + 1, g);
  d1 = ceil_div(W, a);
  d2 = ceil_div(W, b);
}

// T3: the rules of T2 on pairs (row, column), which are numbered row-major. The left side is the
// heavier: m d1 >= n d2. A class t is a window of m steps, step = m om + ((j - z) mod m), with om
// and z for each (t, i) such that at a sender no window comes twice, and at a receiver no (om, z).
class Periodic {
 public:
  explicit Periodic(const Traffic& traffic)
      : row_(traffic.rows), col_(traffic.cols),
        n_(row_.n * col_.n), m_(row_.m * col_.m), d1_(row_.d1 * col_.d1), d2_(row_.d2 * col_.d2),
        turns_(n_ / d1_), rest_(n_ - turns_ * d1_), first_cut_(turns_ * d2_) {
    const auto cells = [](const Classes& c) { return ceil_div(std::min(c.a, c.W), c.b); };
    col_cells_ = cells(col_);
    windows_fit_ = rest_ * cells(row_) * col_cells_ <= m_ - first_cut_;
    if (!windows_fit_) colour_rest();
  }

  bool left_is_heavier() const { return m_ * d1_ >= n_ * d2_; }
  Index count() const { return m_ * d1_; }

  Index step(Coord p, Coord q) const {
    const Coord t{row_.t(p.row, q.row), col_.t(p.col, q.col)};
    const Index i = row_.i(p.row) * col_.n + col_.i(p.col);
    const Index j = row_.j(q.row) * col_.m + col_.j(q.col);
    const Place place = place_of(t, i);
    return m_ * place.om + modulo(j - place.z, m_);
  }

 private:
  struct Place {
    Index om, z;
  };

  Place place_of(Coord t, Index i) const {
    const Index w = t.row / row_.a * col_.d1 + t.col / col_.a;
    if (i < turns_ * d1_) {  // rotate: d1 copies together use every window d2 times at a receiver
      const Index y = t.row / row_.b * col_.d2 + t.col / col_.b;
      return {(w + i) % d1_, y * turns_ + i / d1_};
    }
    const Index left = i - turns_ * d1_;
    if (windows_fit_) {  // window: classes that meet at a receiver in one window differ in cell
      const Index cell = t.row % row_.a / row_.b * col_cells_ + t.col % col_.a / col_.b;
      return {w, first_cut_ + cell * rest_ + left};
    }
    return rest_places_[static_cast<std::size_t>((t.row * col_.W + t.col) * rest_ + left)];
  }

  // Small colouring of the rest_ < d1 copies that fill no turn: window = colour, and a receiver's
  // edges are cut into nodes of degree <= d1, of which it has m - first_cut_.
  void colour_rest() {
    if (!left_is_heavier()) return;  // the reversed traffic is the one that is used
    const Index cuts = m_ - first_cut_;
    std::vector<Edge> edges;
    std::vector<Index> taken(static_cast<std::size_t>(row_.b * col_.b), 0);
    rest_places_.reserve(static_cast<std::size_t>(row_.W * col_.W * rest_));
    for (Index tr = 0; tr < row_.W; ++tr)
      for (Index tc = 0; tc < col_.W; ++tc)
        for (Index i = 0; i < rest_; ++i) {
          const Index left = (tr % row_.a * col_.a + tc % col_.a) * rest_ + i;
          const Index right = tr % row_.b * col_.b + tc % col_.b;
          const Index cut = taken[static_cast<std::size_t>(right)]++ / d1_;
          edges.push_back({static_cast<int>(left), static_cast<int>(right * cuts + cut)});
          rest_places_.push_back({0, first_cut_ + cut});
        }
    const std::vector<int> colours =
        colour_edges(edges, static_cast<int>(row_.a * col_.a * rest_),
                     static_cast<int>(row_.b * col_.b * cuts), static_cast<int>(d1_));
    for (std::size_t e = 0; e < edges.size(); ++e) rest_places_[e].om = colours[e];
  }

  Classes row_, col_;
  Index n_, m_, d1_, d2_;
  Index turns_, rest_;  // h, rho: n = turns d1 + rest
  Index first_cut_;     // z of the rest starts here: h d2
  Index col_cells_ = 1;
  bool windows_fit_ = false;
  std::vector<Place> rest_places_;
};

}  // namespace

Schedule periodic_schedule(const Traffic& traffic) {
  auto plan = std::make_shared<const Periodic>(traffic);
  if (!plan->left_is_heavier()) return reversed(periodic_schedule(reversed(traffic)));
  return {plan->count(), [plan](Coord p, Coord q) { return plan->step(p, q); }};
}

}  // namespace xredist
