// SPDX-License-Identifier: BSD-3-Clause
// The routines under test, by element type and by form.
#pragma once

#include <string>
#include <vector>

#include "xredist/integer.h"

namespace xredist::testing {

/// Whether the program has a ScaLAPACK to compare with. Programs with 64-bit integers may have a BLACS only.
bool has_scalapack();

/// The ways to call the routine.
enum class Form { fortran, c, old_fortran, old_c };

struct Arguments {
  bool trapezoid;
  char uplo, diag;
  xredist_int m, n;
  const void* a;
  xredist_int ia, ja;
  const xredist_int* desca;
  void* b;
  xredist_int ib, jb;
  const xredist_int* descb;
  xredist_int ctxt;
};

/// The routines for one element type, of our library or of ScaLAPACK.
struct Letter {
  char letter;
  int bytes;  ///< of an element
  void* library;
  const char* suffix = "";  ///< of its names

  void call(Form form, const Arguments& arguments) const;
};

/// The letters i, s, d, c, z; with 64-bit integers also by the names that end in _64.
std::vector<Letter> ours();
std::vector<Letter> scalapacks();  ///< their C forms only: their Fortran names jump to ours. Ours, if there are none

}  // namespace xredist::testing
