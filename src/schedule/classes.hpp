// SPDX-License-Identifier: BSD-3-Clause
// The classes of messages along an axis of at least a period. The letters are those of THEORY.md, T4 to T6.
#pragma once

#include "layout/index.hpp"
#include "layout/overlap.hpp"

namespace xredist::core {

/// Returns x with x y = 1 modulo z; y and z must have no common divisor.
Index inverse(Index y, Index z);

/// The classes of messages along an axis (THEORY.md, T4), and the copies of its contracted graph (T5). p and q are
/// processes of A and of B.
struct Classes {
  Index P, Q, p_start, q_start;  ///< processes of A and of B, and the owners of element 0
  Index r0, s0, D;               ///< block sizes, and their greatest common divisor: r0 = D r, s0 = D s
  Index r, s, g;
  Index shift;  ///< oa - ob
  Index k0, k1;
  Index W;     ///< live classes t in [0, W)
  Index a, b;  ///< gcd(s, P), gcd(r, Q): a sender knows t modulo a, a receiver t modulo b
  Index g0;
  Index n, m;    ///< copies of each left, each right node
  Index d1, d2;  ///< classes at a left, at a right node: ceil(W / a), ceil(W / b)

  /// The classes of a lone process: one for each process of the other side, or one for all (T6).
  enum class Lone { many, one };
  explicit Classes(const Overlap& o, Lone lone = Lone::many);

  /// Return the maximum degree of the nodes.
  Index left_degree() const { return m * d1; }
  Index right_degree() const { return n * d2; }
  /// Return the number of a process from the owner of element 0 on.
  Index from_start_of_a(Index p) const { return p < p_start ? p - p_start + P : p - p_start; }
  Index from_start_of_b(Index q) const { return q < q_start ? q - q_start + Q : q - q_start; }
  Index left(Index p) const { return modulo(from_start_of_a(p) * r - k0, a); }    ///< t mod a
  Index right(Index q) const { return modulo(-from_start_of_b(q) * s - k0, b); }  ///< t mod b
  Index t(Index p, Index q) const { return modulo(from_start_of_a(p) * r - from_start_of_b(q) * s - k0, g); }
  Index i(Index p) const { return from_start_of_a(p) / (a * g0); }
  Index j(Index q) const { return from_start_of_b(q) / (b * g0); }

  /// Returns the elements of a message of class t in one period.
  Index length(Index t) const;
};

/// Returns the maximum number of messages of a process of A: exactly, if the axis is a partition or at least a period
/// long (T5); otherwise the messages of element 0's owner (max_partners). For a product, the product of these numbers.
Index max_messages(const Overlap& o);

}  // namespace xredist::core
