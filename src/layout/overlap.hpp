// SPDX-License-Identifier: BSD-3-Clause
// Two distributions of the same elements: who shares what with whom, along one dimension.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

struct Partner {
  Index peer;    ///< a process on the other side
  Index length;  ///< elements that both hold, at least 1
};

/// The partners of each process, one after the other, ascending.
class Partners {
 public:
  Partners(std::vector<Partner> all, std::vector<std::size_t> begins)
      : all_(std::move(all)), begins_(std::move(begins)) {}

  std::span<const Partner> of(Index p) const {
    const std::size_t begin = begins_[static_cast<std::size_t>(p)];
    return {all_.data() + begin, begins_[static_cast<std::size_t>(p) + 1] - begin};
  }

 private:
  std::vector<Partner> all_;
  std::vector<std::size_t> begins_;  // and the end
};

/// The n elements of a submatrix along one dimension, as A holds them and as B holds them. With intervals it is made by
/// overlap().
struct Overlap {
  Axis a, b;
  Index n;
  /// If an axis is in intervals: the partners of all processes of A, and of B, which are found once.
  std::shared_ptr<const Partners> of_a = nullptr, of_b = nullptr;
};

/// Whether both axes are.
inline bool is_cyclic(const Overlap& o) { return is_cyclic(o.a) && is_cyclic(o.b); }

/// An axis of one process becomes one block of its whole length, so that its runs are as long as the other side allows.
/// With intervals it takes time in proportion to their number, and to that of pairs of processes.
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

/// The processes of B with which process p of A shares elements, in ascending order. Takes time in proportion to p's
/// blocks in one period, whatever n is.
std::vector<Partner> partners(const Overlap& o, Index p);

/// How many partners some process of A has. With intervals it is one that has the most; on CYCLIC axes that are shorter
/// than a period others may have a few more.
Index most_partners(const Overlap& o);

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
