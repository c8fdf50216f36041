// SPDX-License-Identifier: BSD-3-Clause
// The communicator of a call.
#pragma once

#include "file/numbers.hpp"
#include "xredist/xredist.h"

namespace xredist::files {

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

/// Returns the bytes of the option "buffer". Collective. Throws.
Index buffer_of(MPI_Comm comm);

}  // namespace xredist::files
