// SPDX-License-Identifier: BSD-3-Clause
// The BLACS of simulated processes.
#pragma once

#include "grid_shape.hpp"
#include "simulated/mpi.h"
#include "xredist/integer.h"

namespace xredist::testing {

/// Makes a context for a grid, the same for all processes. Called outside of their programs.
xredist_int make_context(const GridShape& shape, int processes);

/// Returns the context as the process whose turn it is has it: -1 outside the grid.
xredist_int own_context(xredist_int context);

/// Returns the communicator that the process whose turn it is has for a context.
MPI_Comm communicator_of_grid(xredist_int context);

}  // namespace xredist::testing
