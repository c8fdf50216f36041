// SPDX-License-Identifier: BSD-3-Clause
// Arrays of any number of dimensions, each block-cyclic. Dimension 1 is the rows. The others are folded into columns,
// in Fortran's order: the case has the same messages, because its columns are a partition with an interval for each
// block of dimension 2, at each place in the later dimensions.
#pragma once

#include <vector>

#include "schedules/listed.hpp"

namespace xschedule {

/// An array. Each list has an entry for each dimension.
struct Array {
  std::vector<Index> procs_a{}, procs_b{}, blocks_a{}, blocks_b{};
  std::vector<Index> size{};  ///< empty: one period of each dimension
};

/// Completes a case as shown() does. Throws std::invalid_argument, with a line that names the argument, if the array is
/// too large.
Shown shown(Array array, const Network& network, int per_node, const std::string& route);

}  // namespace xschedule
