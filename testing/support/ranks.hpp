// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace xredist::testing {

/// Return the rank of this process in MPI_COMM_WORLD, and the number of processes.
int rank();
int size();

/// Returns the sentence about a failure of one process, as all processes have it; the bare sentence if `failing` is
/// negative, or the only process: then all have failed.
std::string of_process(int failing, const std::string& sentence);

/// Returns whether `here` is true on any process. Collective over MPI_COMM_WORLD.
bool anywhere(bool here);

/// Returns the sum of `here` over all processes. Collective over MPI_COMM_WORLD.
std::int64_t total(std::int64_t here);

}  // namespace xredist::testing
