// SPDX-License-Identifier: BSD-3-Clause
// What a solver accepts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "layout/layout.hpp"

namespace xredist::core {

/// The grids that a solver accepts.
enum class GridShape {
  nearly_square,  ///< the longer side is at most twice the shorter one, or 3
  square,
  any,  ///< any shape, on as many processes as other rules allow
};

/// The rules of xredist_rules, with their defaults.
struct Rules {
  Index processes = 0;  ///< at most this many; 0: all
  Index per_node = 0;   ///< at most this many processes of each node; 0: all
  Index multiple = 1;   ///< the number of processes is a multiple of this
  Index share = 0;      ///< at most m n / share processes, but at least one; 0: no rule
  Index columns = 0;    ///< at most max(m, n) / columns processes, but at least one; 0: no rule
  Index block = 64;     ///< preferred block size, from min_block to max_block
  Index min_block = 1, max_block = max_elements;
  Index blocks = 0;  ///< of rows, whole ones, for each process, and as many of columns; 0: nobody is empty
  Index flat = 0;    ///< a grid of up to this many processes is 1 x P
  GridShape shape = GridShape::nearly_square;
  bool power = false;  ///< the block size is a power of two

  friend bool operator==(const Rules&, const Rules&) = default;
};

/// Returns the rules of a solver, or nothing if the name is unknown.
std::optional<Rules> rules_of_solver(std::string_view solver);
/// Returns the names of the solvers, for messages.
std::string solver_names();

}  // namespace xredist::core
