// SPDX-License-Identifier: BSD-3-Clause
// Errors and arguments of the routines for Fortran, without array descriptors: not all compilers have their header.
#pragma once

#include <mpi.h>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// Sets INFO to a code of xredist.h. Without INFO, an error ends the program with the sentence of xredist_error().
/// `everywhere`: all processes have the error, so only the first one prints.
void set_info(const char* routine, int code, xredist_int* info, bool everywhere = false) noexcept;

/// Runs the body of a routine, whose messages name arguments of Fortran, and returns its code.
template <class Body>
int coded_in_fortran(Body body) noexcept {
  const InFortran names;
  return coded(body);
}

/// Converts to int. A number that int cannot represent becomes -1, which no function accepts.
inline int narrowed(xredist_int number) { return number == static_cast<int>(number) ? static_cast<int>(number) : -1; }

/// Returns the communicator that a Fortran program passes; MPI_COMM_NULL, which the C functions refuse, if MPI does not
/// run.
inline MPI_Comm communicator_from(xredist_int handle) {
  return mpi_error({"comm"}) ? MPI_COMM_NULL : MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
}

/// Returns a letter that a Fortran program passes; 0, as in C, if the argument is absent.
inline char letter_of(const char* given) { return given == nullptr ? '\0' : *given; }

}  // namespace xredist::core

// The argument KEYWORDS_ONLY, which is always absent: a program cannot pass the next arguments by position.
#define XREDIST_KEYWORDS_ONLY const void*
