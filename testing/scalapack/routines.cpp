// SPDX-License-Identifier: BSD-3-Clause
#include "routines.hpp"

#include <type_traits>

#include "symbols.hpp"
#include "xredist/scalapack.h"

namespace xredist::testing {
namespace {

// Returns the letters; with 64-bit integers also those by the names with `suffix`.
std::vector<Letter> letters_in(void* library, const char* suffix) {
  constexpr int integer = sizeof(xredist_int);
  std::vector<Letter> letters = {
      {'i', integer, library}, {'s', 4, library}, {'d', 8, library}, {'c', 8, library}, {'z', 16, library}};
  for (std::size_t l = 0; l < 5 && integer > 4; ++l) {
    letters.push_back(letters[l]);
    letters.back().suffix = suffix;
  }
  return letters;
}

using Int = xredist_int;
using Ints = const Int*;
using GeOldC = void(Int, Int, const void*, Int, Int, Ints, void*, Int, Int, Ints);
using TrOldC = void(const char*, const char*, Int, Int, const void*, Int, Int, Ints, void*, Int, Int, Ints);
// Declared as gfortran calls them: the lengths of UPLO and DIAG come last.
using GeFortran = void(Ints, Ints, const void*, Ints, Ints, Ints, void*, Ints, Ints, Ints, Ints);
using TrFortran = void(const char*, const char*, Ints, Ints, const void*, Ints, Ints, Ints, void*, Ints, Ints, Ints,
                       Ints, std::size_t, std::size_t);
using GeOldFortran = void(Ints, Ints, const void*, Ints, Ints, Ints, void*, Ints, Ints, Ints);
using TrOldFortran = void(const char*, const char*, Ints, Ints, const void*, Ints, Ints, Ints, void*, Ints, Ints, Ints,
                          std::size_t, std::size_t);

}  // namespace

void Letter::call(Form form, const Arguments& x) const {
  const std::string base = std::string("p") + letter + (x.trapezoid ? "trmr2d" : "gemr2d");
  const bool old = form == Form::old_c || form == Form::old_fortran;
  const bool c = form == Form::c || form == Form::old_c;
  const std::string name = (c ? "C" : "") + base + (old ? "o" : "") + suffix + (c ? "" : "_");
  const auto with = [&](auto* function, auto... front) {
    if constexpr (std::is_invocable_v<decltype(function), decltype(front)..., Int, Int, const void*, Int, Int, Ints,
                                      void*, Int, Int, Ints, Int>)
      function(front..., x.m, x.n, x.a, x.ia, x.ja, x.desca, x.b, x.ib, x.jb, x.descb, x.ctxt);
    else
      function(front..., x.m, x.n, x.a, x.ia, x.ja, x.desca, x.b, x.ib, x.jb, x.descb);
  };
  switch (form) {
    case Form::c:
      return x.trapezoid ? with(symbol<TrC>(library, name), &x.uplo, &x.diag) : with(symbol<GeC>(library, name));
    case Form::old_c:
      return x.trapezoid ? with(symbol<TrOldC>(library, name), &x.uplo, &x.diag) : with(symbol<GeOldC>(library, name));
    case Form::fortran:
      return x.trapezoid ? symbol<TrFortran>(library, name)(&x.uplo, &x.diag, &x.m, &x.n, x.a, &x.ia, &x.ja, x.desca,
                                                            x.b, &x.ib, &x.jb, x.descb, &x.ctxt, 1, 1)
                         : symbol<GeFortran>(library, name)(&x.m, &x.n, x.a, &x.ia, &x.ja, x.desca, x.b, &x.ib, &x.jb,
                                                            x.descb, &x.ctxt);
    case Form::old_fortran:
      return x.trapezoid ? symbol<TrOldFortran>(library, name)(&x.uplo, &x.diag, &x.m, &x.n, x.a, &x.ia, &x.ja, x.desca,
                                                               x.b, &x.ib, &x.jb, x.descb, 1, 1)
                         : symbol<GeOldFortran>(library, name)(&x.m, &x.n, x.a, &x.ia, &x.ja, x.desca, x.b, &x.ib,
                                                               &x.jb, x.descb);
  }
}

bool has_scalapack() { return scalapack() != nullptr; }

std::vector<Letter> ours() { return letters_in(opened(file_of(reinterpret_cast<const void*>(&Cpdgemr2d))), "_64"); }

std::vector<Letter> scalapacks() { return has_scalapack() ? letters_in(scalapack(), "") : ours(); }

}  // namespace xredist::testing
