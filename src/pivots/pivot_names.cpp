// SPDX-License-Identifier: BSD-3-Clause
// The names of P?LASWP and P?LAPIV. Calls with a descriptor that the library does not support are passed on to
// ScaLAPACK.
#include <cstddef>

#include "pivots/pivoting.hpp"
#include "scalapack/loaded.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

static constexpr const char* missing = "the program has no ScaLAPACK for this descriptor";

// `end`: of the names.
#define XREDIST_PIVOT_ROUTINES(letter, LETTER, bytes, end)                                                            \
  XREDIST_API void p##letter##laswp##end(const char* direc, const char* rowcol, const xredist_int* n, void* a,        \
                                         const xredist_int* ia, const xredist_int* ja, const xredist_int* desca,      \
                                         const xredist_int* k1, const xredist_int* k2, const xredist_int* ipiv) {     \
    if (!xredist::core::is_supported(desca))                                                                          \
      return xredist::core::pass_on(missing, "p" #letter "laswp" #end, direc, rowcol, n, a, ia, ja, desca, k1, k2,    \
                                    ipiv);                                                                            \
    xredist::core::laswp({"P" #LETTER "LASWP", *direc, *rowcol, static_cast<std::byte*>(a), bytes, *ia, *ja, desca},  \
                         {*n, *k1, *k2, ipiv});                                                                       \
  }                                                                                                                   \
  XREDIST_API void p##letter##lapiv##end(                                                                             \
      const char* direc, const char* rowcol, const char* pivroc, const xredist_int* m, const xredist_int* n, void* a, \
      const xredist_int* ia, const xredist_int* ja, const xredist_int* desca, const xredist_int* ipiv,                \
      const xredist_int* ip, const xredist_int* jp, const xredist_int* descip, xredist_int* iwork) {                  \
    if (!xredist::core::is_supported(desca))                                                                          \
      return xredist::core::pass_on(missing, "p" #letter "lapiv" #end, direc, rowcol, pivroc, m, n, a, ia, ja, desca, \
                                    ipiv, ip, jp, descip, iwork);                                                     \
    xredist::core::lapiv({"P" #LETTER "LAPIV", *direc, *rowcol, static_cast<std::byte*>(a), bytes, *ia, *ja, desca},  \
                         {*pivroc, *m, *n, ipiv, *ip, *jp, descip});                                                  \
  }
#define XREDIST_PIVOT_NAMES(end)       \
  XREDIST_PIVOT_ROUTINES(s, S, 4, end) \
  XREDIST_PIVOT_ROUTINES(d, D, 8, end) \
  XREDIST_PIVOT_ROUTINES(c, C, 8, end) \
  XREDIST_PIVOT_ROUTINES(z, Z, 16, end)

extern "C" {

XREDIST_PIVOT_NAMES(_)
#ifdef XREDIST_ILP64
XREDIST_PIVOT_NAMES(_64_)
#endif

}  // extern "C"
