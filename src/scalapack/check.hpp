// SPDX-License-Identifier: BSD-3-Clause
// Checks of a process alone.
#pragma once

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

enum class Which { a, b };

/// Checks M and N.
Checked size_error(const Call& call);

/// Checks the arguments of a matrix. This process is in `grid`.
Checked matrix_error(const Call& call, Which which, const Grid& grid);

}  // namespace xredist::core
