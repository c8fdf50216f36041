// SPDX-License-Identifier: BSD-3-Clause
// Defines the fifty names of one set, with 64-bit integers also those that end in _64, in an object file of their own:
// the plain ones in names.cpp, those with a prefix in prefixed_names.cpp. The linker takes members of a static library
// as a whole, so a program has all plain names from here or none (never a mixture with ScaLAPACK's own), and none if it
// asks only for prefixed ones.
#pragma once

#include <cstddef>
#include <cstring>

#include "scalapack/call.hpp"
#include "xredist/scalapack.h"

namespace xredist::core {

constexpr bool whole_world = true;

inline void gemr2d(const char* routine, Index bytes, Index m, Index n, const void* a, Index ia, Index ja,
                   const xredist_int* desca, void* b, Index ib, Index jb, const xredist_int* descb, bool world,
                   xredist_int ctxt) {
  redistribute({routine, Form::general, bytes, 'U', 'N', m, n, {a, ia, ja, desca}, {b, ib, jb, descb}, world, ctxt});
}

inline void trmr2d(const char* routine, Index bytes, const char* uplo, const char* diag, Index m, Index n,
                   const void* a, Index ia, Index ja, const xredist_int* desca, void* b, Index ib, Index jb,
                   const xredist_int* descb, bool world, xredist_int ctxt) {
  redistribute(
      {routine, Form::trapezoid, bytes, *uplo, *diag, m, n, {a, ia, ja, desca}, {b, ib, jb, descb}, world, ctxt});
}

inline void lacpy(Index bytes, Index m, Index n, const void* a, Index lda, void* b, Index ldb) {
  if (m <= 0) return;
  for (Index j = 0; j < n; ++j)
    std::memcpy(static_cast<std::byte*>(b) + j * ldb * bytes, static_cast<const std::byte*>(a) + j * lda * bytes,
                static_cast<std::size_t>(m * bytes));
}

}  // namespace xredist::core

// P, CP, L: how the names of Fortran, of C, and of the local copies begin. Not C, which is a letter.
#define XREDIST_DEFINE(P, CP, L, letter, LETTER, type, bytes, suffix)                                                  \
  void P##letter##gemr2d##suffix##_(const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia,  \
                                    const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,   \
                                    const xredist_int* jb, const xredist_int* descb, const xredist_int* ctxt) {        \
    xredist::core::gemr2d("P" #LETTER "GEMR2D", bytes, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb,                 \
                          !xredist::core::whole_world, *ctxt);                                                         \
  }                                                                                                                    \
  void P##letter##gemr2do##suffix##_(const xredist_int* m, const xredist_int* n, const type* a, const xredist_int* ia, \
                                     const xredist_int* ja, const xredist_int* desca, type* b, const xredist_int* ib,  \
                                     const xredist_int* jb, const xredist_int* descb) {                                \
    xredist::core::gemr2d("P" #LETTER "GEMR2DO", bytes, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb,                \
                          xredist::core::whole_world, 0);                                                              \
  }                                                                                                                    \
  void P##letter##trmr2d##suffix##_(const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n,    \
                                    const type* a, const xredist_int* ia, const xredist_int* ja,                       \
                                    const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb,   \
                                    const xredist_int* descb, const xredist_int* ctxt) {                               \
    xredist::core::trmr2d("P" #LETTER "TRMR2D", bytes, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb,     \
                          !xredist::core::whole_world, *ctxt);                                                         \
  }                                                                                                                    \
  void P##letter##trmr2do##suffix##_(const char* uplo, const char* diag, const xredist_int* m, const xredist_int* n,   \
                                     const type* a, const xredist_int* ia, const xredist_int* ja,                      \
                                     const xredist_int* desca, type* b, const xredist_int* ib, const xredist_int* jb,  \
                                     const xredist_int* descb) {                                                       \
    xredist::core::trmr2d("P" #LETTER "TRMR2DO", bytes, uplo, diag, *m, *n, a, *ia, *ja, desca, b, *ib, *jb, descb,    \
                          xredist::core::whole_world, 0);                                                              \
  }                                                                                                                    \
  void CP##letter##gemr2d##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja,         \
                                  const xredist_int* desca, type* b, xredist_int ib, xredist_int jb,                   \
                                  const xredist_int* descb, xredist_int ctxt) {                                        \
    xredist::core::gemr2d("P" #LETTER "GEMR2D", bytes, m, n, a, ia, ja, desca, b, ib, jb, descb,                       \
                          !xredist::core::whole_world, ctxt);                                                          \
  }                                                                                                                    \
  void CP##letter##gemr2do##suffix(xredist_int m, xredist_int n, const type* a, xredist_int ia, xredist_int ja,        \
                                   const xredist_int* desca, type* b, xredist_int ib, xredist_int jb,                  \
                                   const xredist_int* descb) {                                                         \
    xredist::core::gemr2d("P" #LETTER "GEMR2DO", bytes, m, n, a, ia, ja, desca, b, ib, jb, descb,                      \
                          xredist::core::whole_world, 0);                                                              \
  }                                                                                                                    \
  void CP##letter##trmr2d##suffix(const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a,     \
                                  xredist_int ia, xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,   \
                                  xredist_int jb, const xredist_int* descb, xredist_int ctxt) {                        \
    xredist::core::trmr2d("P" #LETTER "TRMR2D", bytes, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb,           \
                          !xredist::core::whole_world, ctxt);                                                          \
  }                                                                                                                    \
  void CP##letter##trmr2do##suffix(const char* uplo, const char* diag, xredist_int m, xredist_int n, const type* a,    \
                                   xredist_int ia, xredist_int ja, const xredist_int* desca, type* b, xredist_int ib,  \
                                   xredist_int jb, const xredist_int* descb) {                                         \
    xredist::core::trmr2d("P" #LETTER "TRMR2DO", bytes, uplo, diag, m, n, a, ia, ja, desca, b, ib, jb, descb,          \
                          xredist::core::whole_world, 0);                                                              \
  }                                                                                                                    \
  void L##letter##gelacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,               \
                                  xredist_int ldb) {                                                                   \
    xredist::core::lacpy(bytes, m, n, a, lda, b, ldb);                                                                 \
  }                                                                                                                    \
  void L##letter##trlacpy##suffix(xredist_int m, xredist_int n, const type* a, xredist_int lda, type* b,               \
                                  xredist_int ldb) {                                                                   \
    xredist::core::lacpy(bytes, m, n, a, lda, b, ldb);                                                                 \
  }

#define XREDIST_DEFINE_LETTERS(P, CP, L, suffix)                           \
  XREDIST_DEFINE(P, CP, L, i, I, xredist_int, sizeof(xredist_int), suffix) \
  XREDIST_DEFINE(P, CP, L, s, S, float, sizeof(float), suffix)             \
  XREDIST_DEFINE(P, CP, L, d, D, double, sizeof(double), suffix)           \
  XREDIST_DEFINE(P, CP, L, c, C, void, 2 * sizeof(float), suffix)          \
  XREDIST_DEFINE(P, CP, L, z, Z, void, 2 * sizeof(double), suffix)

#ifdef XREDIST_ILP64
#define XREDIST_DEFINE_ALL(P, CP, L)    \
  extern "C" {                          \
  XREDIST_DEFINE_LETTERS(P, CP, L, )    \
  XREDIST_DEFINE_LETTERS(P, CP, L, _64) \
  }
#else
#define XREDIST_DEFINE_ALL(P, CP, L) \
  extern "C" {                       \
  XREDIST_DEFINE_LETTERS(P, CP, L, ) \
  }
#endif
