// SPDX-License-Identifier: BSD-3-Clause
// Makes plans from array descriptors.
#pragma once

#include "api/arguments.hpp"
#include "copy/operation.hpp"
#include "xredist/blacs.h"

namespace xredist::core {

/// INTEGER of the program's Fortran code, which the letter 'I' names.
inline constexpr Type fortran_integer = sizeof(xredist_int) == 8 ? Type::integer64 : Type::integer;

/// Makes a plan as xredist_plan_create_blacs does. `found`: an error that the caller has found. Returns a code.
int create_plan(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                const xredist_operation* operation, const xredist_partitions& partitions, const Checked& found,
                xredist_plan** plan);

}  // namespace xredist::core
