// SPDX-License-Identifier: BSD-3-Clause
// Two distributions of the same elements: who shares what with whom, along one dimension.
#pragma once

#include <optional>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// The n elements of a submatrix along one dimension, as A holds them and as B holds them.
struct Overlap {
  Axis a, b;
  Index n;
};

/// An axis of one process becomes one block of its whole length, so that its runs are as long as the other side allows.
Overlap overlap(Axis a, Axis b, Index n);

/// One element on one process: stands for the other axis where one axis is considered alone.
inline const Overlap point{{1, 1, 0, 0}, {1, 1, 0, 0}, 1};

/// A and B exchanged: a receiver finds its senders as a sender finds its receivers.
Overlap reversed(const Overlap& o);

/// The pattern of owners repeats after lcm(P r, Q s) elements (Desprez et al. 1998, section 4.1).
/// Returns that period, or n + 1 where the matrix is shorter than one, or an axis is not CYCLIC.
Index period(const Overlap& o);

/// The least length that consists of whole blocks of either side; nothing where an axis is not CYCLIC, or beyond 64
/// bits.
std::optional<Index> common_blocks(const Overlap& o);

struct Partner {
  Index peer;    ///< a process on the other side
  Index length;  ///< elements that both hold, at least 1
};

/// The processes of B with which process p of A shares elements, in ascending order. Takes time in proportion to p's
/// blocks in one period, whatever n is; with intervals, to p's blocks or to the intervals of the other side.
std::vector<Partner> partners(const Overlap& o, Index p);

/// How many partners some process of A has. With intervals it is one that has the most; on CYCLIC axes that are shorter
/// than a period others may have a few more.
Index most_partners(const Overlap& o);

/// A process of A and one of B that share elements.
struct Share {
  int p, q;
  Index length;  ///< elements, at least 1
};

/// All pairs that share elements, by p, then q.
std::vector<Share> shares(const Overlap& o);

/// Not less than the number of shares, for axes shorter than a period; and if both are CYCLIC, than the number of
/// pieces that lie in one block of either (THEORY.md, T14).
double most_shares(const Overlap& o);

/// Elements [k, k + length) of the submatrix, which lie within one block on either side.
struct Run {
  Index k, length;
  Index a, b;  ///< local index of element k on either side
};

/// The elements that go from process p of A to process q of B, in ascending order, as runs of the greatest length.
class Runs {
 public:
  /// Starts with the first of them at or after element k.
  Runs(const Overlap& o, Index p, Index q, Index k = 0);

  /// The next run, cut to `most` elements; length 0 at the end.
  Run next(Index most);

 private:
  BlockWalk a_, b_;
  Index k_, n_;
};

}  // namespace xredist::core
