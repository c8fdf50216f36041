// SPDX-License-Identifier: BSD-3-Clause
// How the routines for Fortran return errors.
#pragma once

#include "xredist/integer.h"

namespace xredist::core {

/// Sets INFO to a code of xredist.h. Without INFO, an error ends the program with the sentence of xredist_error().
/// `everywhere`: all processes have the error, so the first of them speaks.
void report(const char* routine, int code, xredist_int* info, bool everywhere = false) noexcept;

}  // namespace xredist::core
