// SPDX-License-Identifier: BSD-3-Clause
// How the routines for Fortran return errors.
#pragma once

#include <initializer_list>

#include "xredist/integer.h"

namespace xredist::core {

/// One error of an argument: the value that the function for C returns, the number and the name of the argument in
/// Fortran, and the reason.
struct Argument {
  int returned, place;
  const char *name, *why;
};
using Arguments = std::initializer_list<Argument>;

/// Sets INFO to the error of a function for C, with the numbers of Fortran's arguments. Without INFO, an error ends the
/// program.
void report(const char* routine, int error, const Arguments& arguments, xredist_int* info) noexcept;

}  // namespace xredist::core
