// SPDX-License-Identifier: BSD-3-Clause
// Kalns & Ni 1995: closed forms of the best map between BLOCK and CYCLIC(c), in the letters of the paper. p processes
// hold n elements, b = n / p each; c divides b, z = b / c. A process (lpid) that is at i in the BLOCK distribution goes
// to place holder q_f(i) of the CYCLIC(c) distribution; in the other direction, q_f(i) goes to i.
#pragma once

#include <optional>
#include <vector>

#include "layout/layout.hpp"

namespace xredist::core {

/// Returns equation (1), f(i) = i z mod p, corrected: the k = gcd(z, p) processes that would share a place holder take
/// the k place holders from there on (lemmata 3 and 5).
Index place_holder(Index i, Index z, Index p);

/// Returns equation (3) for p0 x p1 processes to a vector, h(r, s) = r z mod p0 p1 for process (r, s), with the same
/// correction (lemmata 8 and 9). p1 must divide z, or the target would not be CYCLIC with equal parts.
Index place_holder_in_vector(Coord process, Index z, Index p0, Index p1);

/// Returns equation (4) for p0 p1 processes to a grid: row i z mod p0, corrected as in (1), and column i div p0
/// (lemmata 11 and 12).
Coord place_holder_in_grid(Index i, Index z, Index p0);

/// Returns the position in A's grid of the process for each position of B's grid (row-major), if A -> B is one of the
/// paper's cases: (BLOCK, BLOCK) <-> (CYCLIC, CYCLIC) on grids of the same shape, (BLOCK, #) <-> (CYCLIC, *),
/// (BLOCK, *) <-> (CYCLIC, #), or these with rows and columns exchanged; # is any distribution.
std::optional<std::vector<int>> kalns_ni(const Layout& a, const Layout& b, Index m, Index n);

}  // namespace xredist::core
