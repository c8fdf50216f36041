// SPDX-License-Identifier: BSD-3-Clause
// All pairs of processes that share elements along one dimension, written down.
#pragma once

#include <memory>
#include <vector>

#include "layout/overlap.hpp"

namespace xredist::core {

/// A process of A and one of B that share elements.
struct Share {
  int p, q;
  Index length;  ///< elements, at least 1
};

/// All of them, by p, then q. Takes time in proportion to the pieces that lie in one block of either axis, but for
/// blocks of whole cycles within an interval, and memory in proportion to these or to P Q, if that is less.
std::vector<Share> shares(const Overlap& o);

/// Not less than their number, for axes shorter than a period; and if both are CYCLIC, than the number of pieces
/// (THEORY.md, T14).
double most_shares(const Overlap& o);

/// Stable, by counting, by one of the sides.
std::vector<Share> ordered(const std::vector<Share>& list, int Share::*side, Index procs);

/// Shares that are ordered by one side, as the partners of its processes.
std::shared_ptr<const Partners> partners_of(const std::vector<Share>& list, int Share::*own, int Share::*peer,
                                            Index procs);

}  // namespace xredist::core
