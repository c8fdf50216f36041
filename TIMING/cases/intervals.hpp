// SPDX-License-Identifier: BSD-3-Clause
// One dimension of a matrix in intervals of any lengths and owners, and the files that have them.
#pragma once

#include <string>
#include <vector>

#include "layout/axis.hpp"

namespace cases {

using xredist::core::Index;

/// Interval i has the elements [cuts[i], cuts[i + 1]), counted from 0, and is on row (or column) owners[i] of the
/// process grid.
struct Intervals {
  std::vector<Index> cuts;  ///< 0, then the end of each interval; none is less than the one before
  std::vector<int> owners;

  friend bool operator==(const Intervals&, const Intervals&) = default;
};

/// The owner of element k, from 0. Found without the library, which is checked with it.
int owner_of(const Intervals& x, Index k);

/// A line is an interval, "END OWNER": the number of elements up to its end, and its owner, one of `procs`. Where no
/// line has an owner, they are 0, 1, 2 ... What follows a # is a comment. `name` is used in messages only. Throws
/// InputError.
Intervals read_intervals(const std::string& name, const std::string& text, Index procs);

}  // namespace cases
