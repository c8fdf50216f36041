// SPDX-License-Identifier: BSD-3-Clause
// Two distributions of the same elements: who shares what with whom, along one dimension.
#pragma once

#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// The n elements of a submatrix along one dimension, as A holds them and as B holds them.
struct Overlap {
  Axis a, b;
  Index n;
};

/// The block size of an axis of one process is replaced by its whole length, so that its runs are as long as the other
/// side allows.
Overlap overlap(Axis a, Axis b, Index n);

/// One element on one process: stands for the other axis where one axis is considered alone.
inline constexpr Overlap point{{1, 1, 0, 0}, {1, 1, 0, 0}, 1};

/// A and B exchanged: a receiver finds its senders as a sender finds its receivers.
Overlap reversed(const Overlap& o);

/// The pattern of owners repeats after lcm(P r, Q s) elements (Desprez et al. 1998, section 4.1).
/// Returns that period, or n + 1 where the matrix is shorter than one.
Index period(const Overlap& o);

struct Partner {
  Index peer;    ///< a process on the other side
  Index length;  ///< elements that both hold, at least 1
};

/// The processes of B with which process p of A shares elements, in ascending order. Takes time in proportion to p's
/// blocks in one period, whatever n is.
std::vector<Partner> partners(const Overlap& o, Index p);

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
