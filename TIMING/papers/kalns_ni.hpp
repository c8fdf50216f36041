// SPDX-License-Identifier: BSD-3-Clause
// Kalns & Ni 1995: closed forms of the map between BLOCK and CYCLIC(c) that keeps the most elements, in the letters of
// the paper. p processes hold n elements, b = n / p each; c divides b, z = b / c. A process (lpid) with number i in the
// BLOCK distribution goes to place holder q_f(i) of CYCLIC(c); in the other direction, q_f(i) goes to i.
//
// No map keeps more than the fraction MaxHitRatio = ceil(b / cp) cp : n, because a place holder has every p-th block of
// c elements (lemma 1). The paper states equations 1 and 3 without the second term of the sums below: it describes the
// correction in words, in lemmas 3, 5, 8 and 9. Beside the paper:
//  - Lemmas 8 and 9 say k = gcd(z, p0), but h takes p0 / k values for k = gcd(z / p1, p0): for p0 = 4, p1 = 2, z = 2
//    four values, not two. Both are equal if p0 and p1 have no common factor.
//  - Equation 3 needs p1 | z, which follows from the paper's first assumption, equal parts: for p0 = 3, p1 = 2, z = 5,
//    h is 0, 5, 4, and two processes each do not fit there.
//  - Any distribution may take the place of BLOCK in the dimension that only one of the grids divides (#).
//  - relabel() of the library keeps at least as much in all cases, also where the paper has no formula (MAPPING.md).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "layout/layout.hpp"

namespace papers {

using xredist::core::Coord, xredist::core::Index, xredist::core::Layout;

/// Returns equation 1, f(i) = i z mod p, plus i k div p: the k = gcd(z, p) processes that would share a place holder
/// take the k place holders from there on, in their own order; any order keeps as much (lemmas 3 and 5).
Index place_holder(Index i, Index z, Index p);

/// Returns equation 2: equation 1 in each of m dimensions. All three have m values.
std::vector<Index> place_holders(const std::vector<Index>& process, const std::vector<Index>& z,
                                 const std::vector<Index>& p);

/// Returns equation 3, p0 x p1 processes to a vector: h(r, s) = r z mod p0 p1 for process (r, s), plus (r k div p0) p1
/// + s for k = gcd(z / p1, p0) (lemmas 8 and 9). p1 must divide z.
Index place_holder_in_vector(Coord process, Index z, Index p0, Index p1);

/// Returns equation 4, p0 p1 processes to a grid: equation 1 for i mod p0 among p0 rows, and column i div p0 (lemmas 11
/// and 12).
Coord place_holder_in_grid(Index i, Index z, Index p0);

/// The position in A's grid of the process for each position of B's grid, both row-major; or the reason why the paper
/// has no map.
using MapOrReason = std::variant<std::vector<int>, std::string>;

/// Returns the paper's map for m x n elements from A to B: (BLOCK, BLOCK) <-> (CYCLIC, CYCLIC) on grids of the same
/// shape (equations 1 and 2), (BLOCK, #) <-> (CYCLIC, *) (3), (BLOCK, *) <-> (CYCLIC, #) (4), or these with rows and
/// columns exchanged. The grids may begin at any process.
MapOrReason kalns_ni(const Layout& a, const Layout& b, Index m, Index n);

}  // namespace papers
