// SPDX-License-Identifier: BSD-3-Clause
// Fits on the context of a BLACS.
#pragma once

#include "api/failure.hpp"
#include "layout/index.hpp"
#include "xredist/blacs.h"

namespace xredist::core {

/// Fits a layout as xredist_fit_blacs does. `callers`: a failure of the caller, or nullptr. All processes throw the
/// same failure.
void fit_on_context(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                    const xredist_partition* rows_a, const xredist_partition* cols_a, const xredist_rules* rules,
                    const Failure* callers, xredist_int* descb, xredist_int* rows, xredist_int* cols);

/// Tells data as xredist_tell_blacs does. `callers`: as above.
void tell_on_context(xredist_int ctxt, const xredist_int* descb, void* data, Index bytes, const Failure* callers);

}  // namespace xredist::core
