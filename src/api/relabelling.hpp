// SPDX-License-Identifier: BSD-3-Clause
// The choice of a target grid, for programs that pass a failure of their own.
#pragma once

#include "api/failure.hpp"
#include "xredist/array.h"

namespace xredist::core {

/// Chooses ranks as xredist_array_relabel does. `callers`: a failure of the caller, or nullptr. Throws.
void relabel_array(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                   const xredist_array_operation* operation, const Failure* callers, int ranks[], double kept[2]);

}  // namespace xredist::core
