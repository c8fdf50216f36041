#include "schedule/classes.hpp"

#include <algorithm>
#include <numeric>

namespace xredist {

Index modulo(Index x, Index y) { return ((x % y) + y) % y; }
Index ceil_div(Index x, Index y) { return x >= 0 ? (x + y - 1) / y : -(-x / y); }

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

}  // namespace xredist
