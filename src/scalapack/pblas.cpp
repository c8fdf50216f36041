// SPDX-License-Identifier: BSD-3-Clause
// The function of pblas.h.
#include "xredist/pblas.h"

#include "api/operation.hpp"
#include "scalapack/check.hpp"

namespace {

// PBLAS counts the entries of all descriptors as if they had the size of the first block, and checks that first.
int as_pblas_counts(int info) {
  constexpr int last_size = xredist::core::nb_ + 1;
  return info < -100 && -info % 100 > last_size ? info - 2 : info;
}

}  // namespace

extern "C" void xredist_pblas(const xredist_pblas_call* its) {
  using namespace xredist::core;
  const Type type = *type_of(its->type);
  const char uplo = capital(its->uplo), trans = capital(its->trans);
  constexpr Form forms[] = {Form::tran, Form::geadd, Form::tradd};
  Call call{its->routine,
            forms[its->before_m],
            bytes_of(type, 0),
            uplo,
            'N',
            its->m,
            its->n,
            {its->a, its->ia, its->ja, its->desca},
            {its->c, its->ic, its->jc, its->descc},
            false,
            its->descc[ctxt_]};
  call.operation = {its->type, its->type, trans, uplo, 'N', 'N'};
  call.scalars = {scalar_from(type, its->alpha), scalar_from(type, its->beta)};
  call.returns_errors = its->abort != nullptr;
  const Wrong wrong = first_of({
      call.form == Form::tradd ? none_of("UL", "U or L", {"UPLO"}, uplo) : Wrong{},
      call.form != Form::tran ? none_of("NTC", "N, T or C", {"TRANS"}, trans) : Wrong{},
  });
  try {
    if (wrong) fail(call, world_rank(), wrong);
    if (call.scalars.alpha == 0.0 && call.scalars.beta == 1.0) return;
    redistribute(call);
  } catch (const WrongArgument& error) {
    its->abort(static_cast<int>(call.ctxt), its->routine, as_pblas_counts(error.info));
  }
}
