// SPDX-License-Identifier: BSD-3-Clause
// Defines one set of the fifty names: the plain ones in names.cpp, those with a prefix in prefixed_names.cpp. With
// 64-bit integers each name has an alias that ends in _64. A set is one object file, because the linker takes members
// of an archive as a whole: so a program has all plain names from here or none, never a mixture with ScaLAPACK's own,
// and none if it asks only for prefixed names.
#pragma once

#include "scalapack/named_call.hpp"
#include "xredist/scalapack.h"

// The matrices as Fortran and C declare them, and as each passes them on.
#define XREDIST_OF_FORTRAN(type)                                                                           \
  const xredist_int *m, const xredist_int *n, const type *a, const xredist_int *ia, const xredist_int *ja, \
      const xredist_int *desca, type *b, const xredist_int *ib, const xredist_int *jb, const xredist_int *descb
#define XREDIST_FROM_FORTRAN *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb
#define XREDIST_OF_C(type)                                                                                        \
  xredist_int m, xredist_int n, const type *a, xredist_int ia, xredist_int ja, const xredist_int *desca, type *b, \
      xredist_int ib, xredist_int jb, const xredist_int *descb
#define XREDIST_FROM_C m, n, a, ia, ja, desca, b, ib, jb, descb
#define XREDIST_GENERAL(name, bytes, ctxt, ...) xredist::core::move({name, bytes, {}, ctxt, __VA_ARGS__})
#define XREDIST_TRAPEZOID(name, bytes, ctxt, ...) \
  xredist::core::move({name, bytes, xredist::core::Triangle{*uplo, *diag}, ctxt, __VA_ARGS__})
#define XREDIST_TRIANGLE const char *uplo, const char *diag
#define XREDIST_LOCAL(type) xredist_int m, xredist_int n, const type *a, xredist_int lda, type *b, xredist_int ldb

// P, CP, L: beginnings of the names of Fortran, of C, and of the local copies. (C is a letter of types.)
#define XREDIST_DEFINE(P, CP, L, letter, LETTER, type, bytes)                                                         \
  void P##letter##gemr2d_(XREDIST_OF_FORTRAN(type), const xredist_int* ctxt) {                                        \
    XREDIST_GENERAL("P" #LETTER "GEMR2D", bytes, *ctxt, XREDIST_FROM_FORTRAN);                                        \
  }                                                                                                                   \
  void P##letter##gemr2do_(XREDIST_OF_FORTRAN(type)) {                                                                \
    XREDIST_GENERAL("P" #LETTER "GEMR2DO", bytes, {}, XREDIST_FROM_FORTRAN);                                          \
  }                                                                                                                   \
  void P##letter##trmr2d_(XREDIST_TRIANGLE, XREDIST_OF_FORTRAN(type), const xredist_int* ctxt) {                      \
    XREDIST_TRAPEZOID("P" #LETTER "TRMR2D", bytes, *ctxt, XREDIST_FROM_FORTRAN);                                      \
  }                                                                                                                   \
  void P##letter##trmr2do_(XREDIST_TRIANGLE, XREDIST_OF_FORTRAN(type)) {                                              \
    XREDIST_TRAPEZOID("P" #LETTER "TRMR2DO", bytes, {}, XREDIST_FROM_FORTRAN);                                        \
  }                                                                                                                   \
  void CP##letter##gemr2d(XREDIST_OF_C(type), xredist_int ctxt) {                                                     \
    XREDIST_GENERAL("P" #LETTER "GEMR2D", bytes, ctxt, XREDIST_FROM_C);                                               \
  }                                                                                                                   \
  void CP##letter##gemr2do(XREDIST_OF_C(type)) { XREDIST_GENERAL("P" #LETTER "GEMR2DO", bytes, {}, XREDIST_FROM_C); } \
  void CP##letter##trmr2d(XREDIST_TRIANGLE, XREDIST_OF_C(type), xredist_int ctxt) {                                   \
    XREDIST_TRAPEZOID("P" #LETTER "TRMR2D", bytes, ctxt, XREDIST_FROM_C);                                             \
  }                                                                                                                   \
  void CP##letter##trmr2do(XREDIST_TRIANGLE, XREDIST_OF_C(type)) {                                                    \
    XREDIST_TRAPEZOID("P" #LETTER "TRMR2DO", bytes, {}, XREDIST_FROM_C);                                              \
  }                                                                                                                   \
  void L##letter##gelacpy(XREDIST_LOCAL(type)) { xredist::core::copy_local(bytes, m, n, a, lda, b, ldb); }            \
  void L##letter##trlacpy(XREDIST_LOCAL(type)) { xredist::core::copy_local(bytes, m, n, a, lda, b, ldb); }

#ifdef XREDIST_ILP64
// Gives a second name to a function of this file.
#define XREDIST_ALIAS(second, first) decltype(first) second __attribute__((alias(#first)));
#define XREDIST_ALIASES(P, CP, L, letter)                    \
  XREDIST_ALIAS(P##letter##gemr2d_64_, P##letter##gemr2d_)   \
  XREDIST_ALIAS(P##letter##gemr2do_64_, P##letter##gemr2do_) \
  XREDIST_ALIAS(P##letter##trmr2d_64_, P##letter##trmr2d_)   \
  XREDIST_ALIAS(P##letter##trmr2do_64_, P##letter##trmr2do_) \
  XREDIST_ALIAS(CP##letter##gemr2d_64, CP##letter##gemr2d)   \
  XREDIST_ALIAS(CP##letter##gemr2do_64, CP##letter##gemr2do) \
  XREDIST_ALIAS(CP##letter##trmr2d_64, CP##letter##trmr2d)   \
  XREDIST_ALIAS(CP##letter##trmr2do_64, CP##letter##trmr2do) \
  XREDIST_ALIAS(L##letter##gelacpy_64, L##letter##gelacpy)   \
  XREDIST_ALIAS(L##letter##trlacpy_64, L##letter##trlacpy)
#else
#define XREDIST_ALIASES(P, CP, L, letter)
#endif

#define XREDIST_DEFINE_LETTER(P, CP, L, letter, LETTER, type, bytes) \
  XREDIST_DEFINE(P, CP, L, letter, LETTER, type, bytes)              \
  XREDIST_ALIASES(P, CP, L, letter)

#define XREDIST_DEFINE_ALL(P, CP, L)                                      \
  extern "C" {                                                            \
  XREDIST_DEFINE_LETTER(P, CP, L, i, I, xredist_int, sizeof(xredist_int)) \
  XREDIST_DEFINE_LETTER(P, CP, L, s, S, float, sizeof(float))             \
  XREDIST_DEFINE_LETTER(P, CP, L, d, D, double, sizeof(double))           \
  XREDIST_DEFINE_LETTER(P, CP, L, c, C, void, 2 * sizeof(float))          \
  XREDIST_DEFINE_LETTER(P, CP, L, z, Z, void, 2 * sizeof(double))         \
  }
