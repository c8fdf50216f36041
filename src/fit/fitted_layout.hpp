// SPDX-License-Identifier: BSD-3-Clause
// The layout that a solver wants, on the processes that already hold most of the matrix.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "fit/search.hpp"

namespace xredist::core {

/// A matrix as it is distributed now.
struct Distributed {
  const Layout& layout;        ///< of the whole matrix
  std::span<const int> ranks;  ///< row-major
  Index m, n;                  ///< m n is less than 2^59
};

/// The layout of a fit.
struct Fitted {
  Choice choice;
  std::vector<int> ranks;  ///< row-major
  bool kept;               ///< the matrix has this layout already
};

/// Chooses a layout as xredist_fit does, among the processes 0 to count - 1. node_of: the node of each process; not
/// read unless rules.per_node is set. Equal arguments give equal results.
std::variant<Fitted, Unmet> fitted_layout(const Distributed& a, const Rules& rules, int count,
                                          std::span<const int> node_of);

}  // namespace xredist::core
