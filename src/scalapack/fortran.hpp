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

/// Converts to int. A number that int cannot represent becomes 0, which no routine accepts.
inline int narrowed(xredist_int number) { return number == static_cast<int>(number) ? static_cast<int>(number) : 0; }

}  // namespace xredist::core
