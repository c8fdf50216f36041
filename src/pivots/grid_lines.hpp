// SPDX-License-Identifier: BSD-3-Clause
// What a grid keeps for calls that move lines inside its process columns and rows.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "layout/index.hpp"
#include "pivots/line_exchange.hpp"
#include "pivots/line_processes.hpp"
#include "scalapack/blacs.hpp"

namespace xredist::core {

/// The state of a grid, freed with its communicator.
struct GridLines {
  std::array<LineProcesses, 2> along;  ///< this process's column, whose ranks are process rows; and its row
  ExchangeMemory memory{};
  std::vector<Index> pivots{};
};

/// Returns the state of a grid of which this process is a member. Collective the first time, local afterwards. Throws
/// std::bad_alloc.
GridLines& grid_lines(xredist_int ctxt, const Grid& grid);

}  // namespace xredist::core
