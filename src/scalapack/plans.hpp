// SPDX-License-Identifier: BSD-3-Clause
// Plans on the context of a BLACS.
#pragma once

#include "api/arguments.hpp"
#include "xredist/blacs.h"

namespace xredist::core {

/// Makes a plan as xredist_plan_create_blacs does. `found`: an error that the caller has found. Returns a code.
int create_plan_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                           const xredist_operation* operation, const xredist_partitions& partitions,
                           const MaybeError& found, xredist_plan** plan);

}  // namespace xredist::core
