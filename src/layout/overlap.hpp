// SPDX-License-Identifier: BSD-3-Clause
// The elements that the processes of two distributions share along one dimension.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "layout/axis.hpp"
#include "layout/grouped.hpp"

namespace xredist::core {

struct Partner {
  Index peer;    ///< a process on the other side
  Index length;  ///< elements that both hold, at least 1
};

/// A process of A and a process of B that share elements.
struct Share {
  int p, q;
  Index length;  ///< elements that both hold, at least 1
};

/// Returns the axis of a submatrix of n elements; the axis of a lone process as one block, if it is in order.
Axis in_one_block(Axis axis, Index n);

/// The n elements of a submatrix along one dimension, as A holds them and as B holds them. The axis of a lone process
/// that is in order is one block of its whole length, so that its runs are as long as the other side allows.
///
/// The overlap of a product has the elements, and the processes, of several axes: its factors. Element (i0, i1 ...) has
/// the number i0 + n0 (i1 + n1 (...)), and processes are numbered likewise.
class Overlap {
 public:
  /// Takes O(intervals + pairs of processes) if an axis is a partition, otherwise O(1).
  Overlap(Axis axis_of_a, Axis axis_of_b, Index elements);

  /// Makes the product of at least two axes that are no products. The product of their sizes is less than 2^63.
  explicit Overlap(std::vector<Overlap> factors);

  const Axis a, b;
  const Index n;

  /// Returns the overlap of B and A: a receiver finds its senders as a sender finds its receivers.
  friend Overlap reversed(const Overlap& o);

  /// Returns the partners of each process of A if an axis is a partition, otherwise nullptr.
  const Grouped<Partner>* partners() const { return partners_.first.get(); }

  /// Returns the factors of a product, otherwise nullptr. Copies of the overlap share them.
  const std::shared_ptr<const std::vector<Overlap>>& factors() const { return factors_; }

 private:
  using BothPartners = std::pair<std::shared_ptr<const Grouped<Partner>>, std::shared_ptr<const Grouped<Partner>>>;
  Overlap(Axis axis_of_a, Axis axis_of_b, Index elements, BothPartners partners)
      : a(std::move(axis_of_a)), b(std::move(axis_of_b)), n(elements), partners_(std::move(partners)) {}

  BothPartners partners_;  // of the processes of A and of B; if an axis is a partition, otherwise nullptr
  std::shared_ptr<const std::vector<Overlap>> factors_{};  // of a product, otherwise nullptr
};

Overlap reversed(const Overlap& o);

/// Returns whether both axes are CYCLIC.
inline bool is_cyclic(const Overlap& o) { return is_cyclic(o.a) && is_cyclic(o.b); }

/// One element on one process: stands for the other axis where one axis is considered alone.
inline const Overlap point{{1, 1, 0, 0}, {1, 1, 0, 0}, 1};

/// Returns whether the overlap has factors.
inline bool is_product(const Overlap& o) { return o.factors() != nullptr; }

/// Returns the period lcm(P r, Q s) after which the pattern of owners repeats (Desprez et al. 1998, section 4.1), or
/// n + 1 if the matrix is shorter than a period or an axis is not CYCLIC.
Index period(const Overlap& o);

/// Returns the axis as long as its period, if it is shorter; nothing if an axis is not CYCLIC, or if the period is too
/// long to be counted.
std::optional<Overlap> in_whole_period(const Overlap& o);

/// Returns the maximum number of elements that one process of A holds. Takes O(1) if A's axis is CYCLIC; for a product,
/// the times of its factors.
Index max_held(const Overlap& o);

/// Returns the minimum length that consists of whole blocks of either side; nothing if an axis is not CYCLIC, or if the
/// length exceeds 64 bits.
std::optional<Index> common_blocks(const Overlap& o);

/// Returns the processes of B that share elements with process p of A, in ascending order. Takes time proportional to
/// p's blocks in one period and, if these are not few, to the processes of B, independently of n; for a product, to the
/// sum of these times and to the number of partners.
std::vector<Partner> partners(const Overlap& o, Index p);

/// Returns the maximum number of partners of a process of A if an axis is a partition. If both axes are CYCLIC, returns
/// the number of partners of element 0's owner: mostly the maximum (of 200,000 random axes of a whole period less in
/// 2 %, and half of it at least). For a product, returns the product of these numbers. max_messages (schedule) is
/// exact.
Index max_partners(const Overlap& o);

/// Returns the shares of all pairs, by p, then q. Takes time proportional to the number of pieces, that is, of
/// intersections of a block of A with a block of B; whole cycles of blocks within an interval count as one block.
/// Takes memory proportional to the number of pieces or, if one axis is a partition and P Q is less, to P Q.
std::vector<Share> shares(const Overlap& o);

/// Returns an upper bound on the number of shares; if both axes are CYCLIC, on the number of pieces (THEORY.md, T14).
double max_shares(const Overlap& o);

/// Elements [k, k + length) of the submatrix, which lie within one block on either side.
struct Run {
  Index k, length;
  Index a, b;  ///< local index of element k on either side
};

/// `count` runs of equal length, each at the indices of the previous one plus the steps.
struct RunSeries {
  Run first;
  Index count, step, step_a, step_b;
};

/// Enumerates the elements that go from process p of A to process q of B, in ascending order, as runs of maximum
/// length.
class Runs {
 public:
  /// Starts at the first such element at or after element k. The overlap is no product.
  Runs(const Overlap& o, Index p, Index q, Index k = 0);

  /// Returns the next run, cut to `limit` elements; length 0 at the end.
  Run next(Index limit);
  /// Returns the next run, and the equal runs that follow it in the same block of one side, if each of them is a whole
  /// block of the other side; at most `limit` elements.
  RunSeries next_series(Index limit);

 private:
  BlockWalk a_, b_;
  Index k_, n_;
};

}  // namespace xredist::core
