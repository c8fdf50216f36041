// SPDX-License-Identifier: BSD-3-Clause
// The schedules of Walker & Otto 1996 for r -> K r and K r -> r on one grid.
#include <numeric>

#include "layout/index.hpp"
#include "schedule/papers/papers.hpp"

namespace xredist::core {
namespace {

// Steps of a schedule. A process has as many parts of messages as there are steps, even if most have no elements: 24
// bytes each.
constexpr Index max_steps = Index{1} << 20;

// One axis on P processes whose blocks grow K times. p and q are counted from the processes that hold the first small
// block of the large block that contains element 0.
struct Growth {
  Index P = 1, K = 1, p_start = 0, q_start = 0;
  bool shrinks = false;  ///< the roles of p and q are exchanged

  // Returns the steps k in [0, K) in which process q receives a slot t of its block from p, section 2.2.3, equation 11:
  // t = g floor(k/g) + (floor(q/P') + k) mod g with K q + t = p modulo P (THEORY.md, T26).
  Parts steps(Index p, Index q) const {
    if (shrinks) std::swap(p, q);
    p = modulo(p - p_start, P);
    q = modulo(q - q_start, P);
    const Index g = std::gcd(P, K);
    Parts parts;
    for (Index t = modulo(p - K * q, P); t < K; t += P) parts.push_back({t / g * g + modulo(t - q / (P / g), g), 1});
    return parts;
  }
};

std::optional<Growth> growth(const Overlap& o) {
  if (o.a.procs != o.b.procs) return std::nullopt;
  if (o.a.procs == 1) return Growth{};
  if (!is_cyclic(o)) return std::nullopt;
  const bool shrinks = o.a.block() > o.b.block();
  const Axis& small = shrinks ? o.b : o.a;
  const Axis& large = shrinks ? o.a : o.b;
  const Index before = large.first % large.block();  // elements between the large block's first and element 0
  if (large.block() % small.block() != 0 || modulo(small.first - before, small.block()) != 0) return std::nullopt;
  const Index start = modulo((small.first - before) / small.block() + small.source(), small.procs);
  return Growth{o.a.procs, large.block() / small.block(), start, owner(large, 0), shrinks};
}

}  // namespace

std::optional<Schedule> walker_otto_schedule(const Traffic& traffic) {
  const auto rows = growth(traffic.rows), cols = growth(traffic.cols);
  if (!rows || !cols || rows->K > max_steps / cols->K) return std::nullopt;
  return product({rows->K, [rows = *rows](Coord p, Coord q) { return rows.steps(p.row, q.row); }},
                 {cols->K, [cols = *cols](Coord p, Coord q) { return cols.steps(p.col, q.col); }});
}

std::vector<Overlap> walker_otto_passes(const Overlap& o) {
  if (growth(o)) return {o};
  if (o.a.procs != o.b.procs || !is_cyclic(o)) return {};
  const Axis between{std::lcm(o.a.block(), o.b.block()), o.a.procs, o.a.source(), o.a.first};
  const std::vector<Overlap> passes{{o.a, between, o.n}, {between, o.b, o.n}};
  return growth(passes[0]) && growth(passes[1]) ? passes : std::vector<Overlap>{};
}

}  // namespace xredist::core
