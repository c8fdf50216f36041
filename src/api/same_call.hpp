// SPDX-License-Identifier: BSD-3-Clause
// Processes that should be in the same call find that they are not.
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "exchange/progress.hpp"
#include "layout/sentence.hpp"

namespace xredist::core {

/// Returns "<first>PDGEMR2D (100 x 80), call 17, but process 3 is in PDTRMR2D (5 x 5), call 17": the call of process 0,
/// and the first one that differs from it. `mine`: this process's call, of which 127 bytes are told. Collective: two
/// broadcasts and a reduction.
Text different_calls(std::string_view first, std::string_view mine, MPI_Comm comm, Progress& progress);

/// Throws InvalidArgument, on all processes, if they are in different functions of the library. Collective: one
/// reduction of a number, so that processes meet here whatever they call.
void demand_same_function(std::string_view name, MPI_Comm comm, Progress& progress);

}  // namespace xredist::core
