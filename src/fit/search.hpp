// SPDX-License-Identifier: BSD-3-Clause
// The search for a process grid and a block size that obey the rules of a solver.
#pragma once

#include <variant>

#include "fit/rules.hpp"
#include "layout/sentence.hpp"

namespace xredist::core {

/// A process grid and the size of square blocks, which begin at process (0, 0).
struct Choice {
  Index nprow, npcol, block;

  Index processes() const { return nprow * npcol; }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// A rule without which the other rules could be met, as xredist_rules names it, and the rest of the sentence: " is 64:
/// no grid ...".
struct Unmet {
  const char* rule;
  Text reason;
};

/// Returns the largest block size with which an m x n matrix on an nprow x npcol grid obeys rules.blocks; 0 if there is
/// none. On one process, blocks of 1 and 2 always obey.
Index longest_block(const Rules& rules, Index m, Index n, Index nprow, Index npcol);

/// Returns the largest block size, at most rules.block, with which an m x n matrix on an nprow x npcol grid obeys all
/// rules; 0 if there is none. On one process, min_block yields to rules.blocks, and without rules.blocks a block may
/// exceed the matrix, to obey min_block or to be a power of two.
Index largest_block(const Rules& rules, Index m, Index n, Index nprow, Index npcol);

/// Returns whether a grid of this shape obeys the rules on shapes and numbers of processes. `available`: the number of
/// processes from which per_node allows to choose.
bool accepts_grid(const Rules& rules, Index m, Index n, Index nprow, Index npcol, Index available);

/// Returns the grid with the most processes that obeys the rules; of those, the squarest, wider than high unless m > n;
/// with the largest block. A matrix without elements gets one process. Takes time proportional to the number of pairs
/// of sides.
std::variant<Choice, Unmet> search(const Rules& rules, Index m, Index n, Index available);

}  // namespace xredist::core
