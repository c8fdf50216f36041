// SPDX-License-Identifier: BSD-3-Clause
// Kalns & Ni 1995: closed forms of the best map between BLOCK and CYCLIC(c), in their letters. p processes
// hold n elements, b = n / p each; c divides b, z = b / c. A process (lpid) that is at i in the BLOCK
// distribution goes to place holder q_f(i) of the CYCLIC(c) one; the other way, q_f(i) goes to i.
#pragma once

#include <optional>
#include <vector>

#include "layout/layout.hpp"

namespace xredist::core {

/// Equation (1), f(i) = i z mod p, where the k = gcd(z, p) processes that would share a place take the k
/// places from there on (lemmata 3 and 5).
Index place(Index i, Index z, Index p);

/// Equation (3), p0 x p1 processes to a vector: process (r, s) to h(r, s) = r z mod p0 p1, with the same
/// correction (lemmata 8 and 9). p1 divides z, or the target would not be CYCLIC with equal parts.
Index place_in_vector(Coord process, Index z, Index p0, Index p1);

/// Equation (4), p0 p1 processes to a grid: row i z mod p0, corrected as in (1), column i div p0
/// (lemmata 11 and 12).
Coord place_in_grid(Index i, Index z, Index p0, Index p1);

/// The position in A's grid of the process for each position of B's (row-major), if A -> B is one of their
/// cases: (BLOCK, BLOCK) <-> (CYCLIC, CYCLIC) on grids of the same shape, (BLOCK, #) <-> (CYCLIC, *),
/// (BLOCK, *) <-> (CYCLIC, #), or these with rows and columns exchanged; # is any distribution.
std::optional<std::vector<int>> kalns_ni(const Layout& a, const Layout& b, Index m, Index n);

}  // namespace xredist::core
