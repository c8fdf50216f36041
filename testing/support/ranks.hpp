// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace xredist::testing {

/// This process and how many there are, in MPI_COMM_WORLD.
int rank();
int size();

}  // namespace xredist::testing
