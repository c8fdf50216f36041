// SPDX-License-Identifier: BSD-3-Clause
// The names of PBLAS. This library has nothing else: plans and exchanges are those of the drop-in's library, because
// two copies of them would use the same tags on a context.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "xredist/pblas.h"

namespace {

// A descriptor of type 2 also has the size of the first block. Where that is another one than of all blocks, or where
// all rows or columns of processes hold the same (source -1), PBLAS's own routine is called.
struct Described {
  xredist_int entries[9];  // as in type 1, but for the type
  bool known;

  explicit Described(const xredist_int* desc) : entries{}, known(false) {
    if (desc[0] == 1) {
      std::copy_n(desc, 9, entries);
      known = true;
    } else if (desc[0] == 2) {
      std::copy_n(desc, 4, entries);
      std::copy_n(desc + 6, 5, entries + 4);
      known = desc[4] == desc[6] && desc[5] == desc[7];
    }
    known = known && entries[6] >= 0 && entries[7] >= 0;
  }
};

// PBLAS's routines call PB_Cabort where an argument is wrong, which ends the program. It may have one of its own that
// returns, as PBLAS's testers have.
using Abort = void (*)(int ctxt, const char* routine, int info);
Abort programs_own_abort() {
  static void* const own = [] {
    void* const first = dlsym(RTLD_DEFAULT, "PB_Cabort");
    return first == dlsym(RTLD_NEXT, "PB_Cabort") ? nullptr : first;
  }();
  return reinterpret_cast<Abort>(own);
}

template <class... Arguments>
void pass_on(const char* name, Arguments... arguments) {
  void* next = dlsym(RTLD_NEXT, name);
  if (next == nullptr) {
    std::fprintf(stderr, "xredist: %s: no PBLAS for a descriptor that xredist does not take\n", name);
    std::abort();
  }
  reinterpret_cast<void (*)(Arguments...)>(next)(arguments...);
}

}  // namespace

#define XREDIST_MATRICES                                                                                 \
  const xredist_int *m, const xredist_int *n, const void *alpha, const void *a, const xredist_int *ia,   \
      const xredist_int *ja, const xredist_int *desca, const void *beta, void *c, const xredist_int *ic, \
      const xredist_int *jc, const xredist_int *descc
#define XREDIST_PASSED m, n, alpha, a, ia, ja, desca, beta, c, ic, jc, descc
#define XREDIST_CALLED *m, *n, alpha, a, *ia, *ja, its_a.entries, beta, c, *ic, *jc, its_c.entries, programs_own_abort()

#define XREDIST_TRAN(name, NAME, LETTER, trans)                                    \
  XREDIST_API void name##_(XREDIST_MATRICES) {                                     \
    const Described its_a(desca), its_c(descc);                                    \
    if (!its_a.known || !its_c.known) return pass_on(#name "_", XREDIST_PASSED);   \
    const xredist_pblas_call call = {NAME, 0, LETTER, 'A', trans, XREDIST_CALLED}; \
    xredist_pblas(&call);                                                          \
  }
#define XREDIST_ADD(letter, LETTER)                                                                      \
  XREDIST_API void p##letter##geadd_(const char* trans, XREDIST_MATRICES) {                              \
    const Described its_a(desca), its_c(descc);                                                          \
    if (!its_a.known || !its_c.known) return pass_on("p" #letter "geadd_", trans, XREDIST_PASSED);       \
    const xredist_pblas_call call = {"P" #LETTER "GEADD", 1, #LETTER[0], 'A', *trans, XREDIST_CALLED};   \
    xredist_pblas(&call);                                                                                \
  }                                                                                                      \
  XREDIST_API void p##letter##tradd_(const char* uplo, const char* trans, XREDIST_MATRICES) {            \
    const Described its_a(desca), its_c(descc);                                                          \
    if (!its_a.known || !its_c.known) return pass_on("p" #letter "tradd_", uplo, trans, XREDIST_PASSED); \
    const xredist_pblas_call call = {"P" #LETTER "TRADD", 2, #LETTER[0], *uplo, *trans, XREDIST_CALLED}; \
    xredist_pblas(&call);                                                                                \
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
