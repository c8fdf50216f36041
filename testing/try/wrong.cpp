// SPDX-License-Identifier: BSD-3-Clause
// A library whose xredist is wrong: PDGEMR2D changes the sign of a zero, PZGEADD one digit.
#include <dlfcn.h>

#include <complex>

#include "xredist/pblas.h"
#include "xredist/scalapack.h"

void xredist_pdgemr2d_(const xredist_int* m, const xredist_int* n, const double* a, const xredist_int* ia,
                       const xredist_int* ja, const xredist_int* desca, double* b, const xredist_int* ib,
                       const xredist_int* jb, const xredist_int* descb, const xredist_int* ctxt) {
  reinterpret_cast<decltype(&xredist_pdgemr2d_)>(dlsym(RTLD_NEXT, "xredist_pdgemr2d_"))(m, n, a, ia, ja, desca, b, ib,
                                                                                        jb, descb, ctxt);
  if (b != nullptr && *b == 0) *b = -0.0;  // element (1, 1), on its process only
}

void xredist_pblas(const xredist_pblas_call* call) {
  reinterpret_cast<decltype(&xredist_pblas)>(dlsym(RTLD_NEXT, "xredist_pblas"))(call);
  if (call->type != 'Z') return;
  auto& element = static_cast<std::complex<double>*>(call->c)[1];  // of each process
  element *= 1 + 1e-12;
}
