// SPDX-License-Identifier: BSD-3-Clause
// Arrays of three dimensions, each block-cyclic. Dimensions 2 and 3 are folded into columns, in Fortran's order: the
// case has the same messages, because its columns are a partition with an interval for each block in each plane.
#pragma once

#include <array>

#include "schedules/listed.hpp"

namespace xschedule {

struct Array {
  std::array<Index, 3> procs_a{}, procs_b{}, blocks_a{}, blocks_b{};
  std::array<Index, 3> size{};  ///< 0: one period
};

/// Completes a case as shown() does. Throws std::invalid_argument, with a line that names the argument, if the array is
/// too large.
Shown shown(Array array, const Network& network, int per_node, const std::string& route);

}  // namespace xschedule
