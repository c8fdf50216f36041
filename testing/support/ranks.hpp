// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace xredist::testing {

/// Rank of this process in MPI_COMM_WORLD, and number of processes.
int rank();
int size();

}  // namespace xredist::testing
