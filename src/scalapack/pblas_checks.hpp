// SPDX-License-Identifier: BSD-3-Clause
// The facts about a call of PBLAS, and the checks of its arguments.
#pragma once

#include "scalapack/move.hpp"
#include "xredist/pblas.h"

namespace xredist::core {

/// Returns the facts about the routine of a call.
Routine pblas_routine(const xredist_pblas_call& call);

/// Checks the arguments as PBLAS does: first of all, for any alpha, beta, M and N, and without communication. `move`:
/// the matrices of the call.
MaybeError pblas_error(const Routine& routine, const xredist_pblas_call& call, const MatrixMove& move);

}  // namespace xredist::core
