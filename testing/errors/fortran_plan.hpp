// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_PLAN_CREATE of module xredist, which no header declares.
#pragma once

#include <ISO_Fortran_binding.h>

#include "xredist/blacs.h"

extern "C" void xredist_fortran_plan_create_blacs(
    xredist_plan** plan, const xredist_int* ctxt, const xredist_int* m, const xredist_int* n, const xredist_int* desca,
    const xredist_int* descb, const char* type, const void* keywords_only, const xredist_int* ia, const xredist_int* ja,
    const xredist_int* ib, const xredist_int* jb, const char* type_b, const char* trans, const char* uplo,
    const char* diag, const char* mirror, const xredist_int* bytes, const CFI_cdesc_t* rows_a,
    const CFI_cdesc_t* cols_a, const CFI_cdesc_t* rows_b, const CFI_cdesc_t* cols_b, const CFI_cdesc_t* owners_rows_a,
    const CFI_cdesc_t* owners_cols_a, const CFI_cdesc_t* owners_rows_b, const CFI_cdesc_t* owners_cols_b,
    xredist_int* info);

namespace xredist::testing {

/// Without the other optional arguments. Without `info`, an error ends the program.
inline void create_fortran_plan(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                                const xredist_int* descb, const char* type, xredist_plan** plan,
                                xredist_int* info = nullptr) {
  xredist_fortran_plan_create_blacs(plan, &ctxt, &m, &n, desca, descb, type, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, info);
}

}  // namespace xredist::testing
