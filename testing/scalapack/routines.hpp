// The routines under test, by element type and by form.
#pragma once

#include <string>
#include <vector>

namespace xredist::testing {

/// How a program may name the routine.
enum class Form { fortran, c, old_fortran, old_c };

struct Arguments {
  bool trapezoid;
  char uplo, diag;
  int m, n;
  const void* a;
  int ia, ja;
  const int* desca;
  void* b;
  int ib, jb;
  const int* descb;
  int ctxt;
};

/// One letter of a library: ours or ScaLAPACK's.
struct Letter {
  char letter;
  int bytes;  ///< of an element
  void* library;

  void call(Form form, const Arguments& arguments) const;
};

/// The letters i, s, d, c, z.
std::vector<Letter> ours();
std::vector<Letter> scalapacks();  ///< their C forms only: their Fortran names jump to ours

}  // namespace xredist::testing
