// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/classes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace xredist::core {

Index inverse(Index y, Index z) {
  Index x = 0, next = 1;  // Euclid's algorithm, with the factors of y
  for (Index a = z, b = y % z; b != 0;) {
    x = std::exchange(next, x - a / b * next);
    a = std::exchange(b, a % b);
  }
  return modulo(x, z);
}

Classes::Classes(const Overlap& o, Lone lone)
    : P(o.a.procs), Q(o.b.procs), p_start(owner(o.a, 0)), q_start(owner(o.b, 0)) {
  // The block size of a lone process is irrelevant: take the other side's cycle, or its block size (THEORY.md, T6).
  const bool many = lone == Lone::many;
  r0 = P > 1 ? o.a.block() : Q > 1 ? o.b.block() * (many ? Q : 1) : 1;
  s0 = Q > 1 ? o.b.block() : P > 1 ? o.a.block() * (many ? P : 1) : 1;
  shift = P > 1 && Q > 1 ? o.a.first % r0 - o.b.first % s0 : 0;
  D = std::gcd(r0, s0);
  r = r0 / D;
  s = s0 / D;
  a = std::gcd(s, P);
  b = std::gcd(r, Q);
  g0 = std::gcd(P / a, Q / b);
  g = a * b * g0;
  n = P / a / g0;
  m = Q / b / g0;
  k0 = ceil_div(1 - r0 + shift, D);
  k1 = -ceil_div(1 - s0 - shift, D);
  W = std::min(k1 - k0 + 1, g);
  d1 = ceil_div(W, a);
  d2 = ceil_div(W, b);
}

// A block of s0 that begins `delta` after a block of r0 shares min(r0, s0, s0 + delta, r0 - delta) elements with it;
// delta takes each value shift - D k, k in [k0, k1], once in a period. The minimum is a sum of slopes
// max(0, delta - corner). The sums of slopes nearly cancel, and may exceed 64 bits.
Index Classes::length(Index t) const {
  const Index step = D * g, terms = (k1 - k0 - t) / g + 1, first = shift - D * (k0 + t);
  const auto slope = [&](Index corner) {
    const Wide rising = first <= corner ? 0 : std::min(terms, ceil_div(first - corner, step));
    return rising * (first - corner) - step * (rising * (rising - 1) / 2);
  };
  const Index both = std::min(r0, s0);
  return static_cast<Index>(slope(-s0) - slope(both - s0) - slope(r0 - both));
}

Index max_messages(const Overlap& o) {
  if (!is_product(o)) return is_cyclic(o) && o.n >= period(o) ? Classes(o).left_degree() : max_partners(o);
  Index messages = 1;
  for (const Overlap& factor : *o.factors()) messages *= max_messages(factor);
  return messages;
}

}  // namespace xredist::core
