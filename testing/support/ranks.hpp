// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace xredist::testing {

/// Return the rank of this process in MPI_COMM_WORLD, and the number of processes.
int rank();
int size();

/// Returns whether `here` is true on any process. Collective over MPI_COMM_WORLD.
bool anywhere(bool here);

}  // namespace xredist::testing
