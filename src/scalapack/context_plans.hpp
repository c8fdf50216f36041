// SPDX-License-Identifier: BSD-3-Clause
// Plans on the context of a BLACS.
#pragma once

#include "api/failure.hpp"
#include "xredist/blacs.h"

namespace xredist::core {

/// Makes a plan as xredist_plan_create_blacs does. `callers`: a failure of the caller, or nullptr. All processes throw
/// the same failure.
void create_plan_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                            const xredist_operation* operation, const xredist_partitions& partitions,
                            const Failure* callers, xredist_plan** plan);

/// Sets an option of a context, as xredist_set_option_blacs does. Throws.
void set_option_on_context(xredist_int ctxt, const char* name, const char* value);

}  // namespace xredist::core
