// One axis of at least a period, in the letters of THEORY.md.
#pragma once

#include "layout/overlap.hpp"

namespace xredist {

Index modulo(Index x, Index y);
Index ceil_div(Index x, Index y);

/// The classes of messages along an axis, and the copies of which its graph consists. p and q are
/// processes of A and of B.
struct Classes {
  Index P, Q, p_start, q_start;  ///< counted from the owners of element 0
  Index r, s, g, k0;
  Index W;       ///< live classes t in [0, W)
  Index a, b;    ///< s', r': residues of t that a sender, a receiver sees
  Index g0;
  Index n, m;    ///< n1, n2: copies of each left, each right node
  Index d1, d2;  ///< classes at a left, at a right node: ceil(W / a), ceil(W / b)

  explicit Classes(const Overlap& o);

  Index left(Index p) const { return modulo(modulo(p - p_start, P) * r - k0, a); }   ///< t mod a
  Index right(Index q) const { return modulo(-modulo(q - q_start, Q) * s - k0, b); }  ///< t mod b
  Index t(Index p, Index q) const {
    return modulo(modulo(p - p_start, P) * r - modulo(q - q_start, Q) * s - k0, g);
  }
  Index i(Index p) const { return modulo(p - p_start, P) / (a * g0); }
  Index j(Index q) const { return modulo(q - q_start, Q) / (b * g0); }
};

}  // namespace xredist
