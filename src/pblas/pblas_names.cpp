// SPDX-License-Identifier: BSD-3-Clause
// The names of PBLAS. The drop-in's library carries out the calls: a second copy of its code in this library would use
// the same tags on a context.
#include <dlfcn.h>

#include "pblas/descriptor.hpp"
#include "scalapack/loaded.hpp"
#include "xredist/pblas.h"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

using Descriptor = xredist::core::PblasDescriptor;

namespace {

// Returns the program's own PB_Cabort, if it has one. PBLAS's routines call PB_Cabort if an argument is wrong. PBLAS's
// PB_Cabort ends the program; the PB_Cabort of PBLAS's testers returns.
using Abort = void (*)(int ctxt, const char* routine, int info);
Abort abort_of_program() {
  static void* const own = [] {
    void* const first = dlsym(RTLD_DEFAULT, "PB_Cabort");
    return first == dlsym(RTLD_NEXT, "PB_Cabort") ? nullptr : first;
  }();
  return reinterpret_cast<Abort>(own);
}

}  // namespace

static constexpr const char* missing = "the program has no PBLAS for this descriptor";

#define XREDIST_MATRICES                                                                                 \
  const xredist_int *m, const xredist_int *n, const void *alpha, const void *a, const xredist_int *ia,   \
      const xredist_int *ja, const xredist_int *desca, const void *beta, void *c, const xredist_int *ic, \
      const xredist_int *jc, const xredist_int *descc
#define XREDIST_PASSED m, n, alpha, a, ia, ja, desca, beta, c, ic, jc, descc
#define XREDIST_CALLED *m, *n, alpha, a, *ia, *ja, from.entries, beta, c, *ic, *jc, to.entries, abort_of_program()

#define XREDIST_TRAN(name, NAME, LETTER, trans)                                                      \
  XREDIST_API void name##_(XREDIST_MATRICES) {                                                       \
    const Descriptor from(desca), to(descc);                                                         \
    if (!from.known || !to.known) return xredist::core::pass_on(missing, #name "_", XREDIST_PASSED); \
    const xredist_pblas_call call = {NAME, 0, LETTER, 'A', trans, XREDIST_CALLED};                   \
    xredist_pblas(&call);                                                                            \
  }
#define XREDIST_ADD(letter, LETTER)                                                                                    \
  XREDIST_API void p##letter##geadd_(const char* trans, XREDIST_MATRICES) {                                            \
    const Descriptor from(desca), to(descc);                                                                           \
    if (!from.known || !to.known) return xredist::core::pass_on(missing, "p" #letter "geadd_", trans, XREDIST_PASSED); \
    const xredist_pblas_call call = {"P" #LETTER "GEADD", 1, #LETTER[0], 'A', *trans, XREDIST_CALLED};                 \
    xredist_pblas(&call);                                                                                              \
  }                                                                                                                    \
  XREDIST_API void p##letter##tradd_(const char* uplo, const char* trans, XREDIST_MATRICES) {                          \
    const Descriptor from(desca), to(descc);                                                                           \
    if (!from.known || !to.known)                                                                                      \
      return xredist::core::pass_on(missing, "p" #letter "tradd_", uplo, trans, XREDIST_PASSED);                       \
    const xredist_pblas_call call = {"P" #LETTER "TRADD", 2, #LETTER[0], *uplo, *trans, XREDIST_CALLED};               \
    xredist_pblas(&call);                                                                                              \
  }

extern "C" {

XREDIST_TRAN(pstran, "PSTRAN", 'S', 'T')
XREDIST_TRAN(pdtran, "PDTRAN", 'D', 'T')
XREDIST_TRAN(pctranu, "PCTRANU", 'C', 'T')
XREDIST_TRAN(pztranu, "PZTRANU", 'Z', 'T')
XREDIST_TRAN(pctranc, "PCTRANC", 'C', 'C')
XREDIST_TRAN(pztranc, "PZTRANC", 'Z', 'C')
XREDIST_ADD(s, S)
XREDIST_ADD(d, D)
XREDIST_ADD(c, C)
XREDIST_ADD(z, Z)

}  // extern "C"
