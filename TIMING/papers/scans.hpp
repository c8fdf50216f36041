// SPDX-License-Identifier: BSD-3-Clause
// Prylli & Tourancheau 1996: strategies that find the elements along one dimension that go from process p of A to
// process q of B. In the letters of the paper, p has the elements E(s, rP, r), blocks of r elements at intervals of rP,
// and q has E(s', r'P', r'). The paper numbers its propositions; its stored text has lost the digits, so they are
// counted here in their order, from 1 to 11. Both axes must be CYCLIC.
//
// The paper says b = max(M, lcm(rP, r'P')) for the length that propositions 6 and 7 scan. This must be the minimum: the
// scan need not go beyond the matrix, nor beyond the period. It also says that an intersection is the union of less
// than r r' patterns (proposition 3); the proof, and proposition 5, say at most r r', which is reached.
#pragma once

#include <vector>

#include "layout/overlap.hpp"

namespace papers {

using xredist::core::Index, xredist::core::Interval, xredist::core::Overlap;

/// The elements that p and q share: those of `intervals`, and of the same intervals later by multiples of `period`,
/// below n. The intervals are ascending and lie in [0, min(n, period)).
struct Scan {
  std::vector<Interval> intervals;
  Index period;
  Index visited = 0;  ///< indices, blocks or pairs of indices that the strategy has looked at
};

/// Returns the elements of a scan in ascending order.
std::vector<Index> elements_of(const Scan& scan, Index n);
/// Returns their number.
Index count_of(const Scan& scan, Index n);

/// The obvious strategy (section 3.3, proposition 1): looks at every index. visited = n.
Scan scan_indices(const Overlap& o, Index p, Index q);

/// The scan of section 3.1 (proposition 2): two counters go from block to block, as in a merge sort. Looks at the n /
/// rP blocks of p and the n / r'P' blocks of q.
Scan scan_blocks(const Overlap& o, Index p, Index q);

/// The same, stopped at the period (section 3.3, propositions 4 to 7): b / rP + b / r'P' blocks for b = min(n, lcm(rP,
/// r'P')). So the number of blocks does not depend on n.
Scan scan_period(const Overlap& o, Index p, Index q);

/// The pattern of proposition 3: an index of a block of p and one of a block of q coincide once in each period, or
/// never (lemma, by Bezout's theorem). Looks at r r' pairs of indices.
Scan scan_pairs(const Overlap& o, Index p, Index q);

}  // namespace papers
