// SPDX-License-Identifier: BSD-3-Clause
// The function of pblas.h.
#include "xredist/pblas.h"

#include <cctype>
#include <string>
#include <string_view>

#include "api/operation.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {
namespace {

Type type_of(char letter) {
  switch (letter) {
    case 'S': return Type::real;
    case 'D': return Type::real64;
    case 'C': return Type::complex;
    default: return Type::complex64;
  }
}

char capital(char letter) { return static_cast<char>(std::toupper(static_cast<unsigned char>(letter))); }

void demand(const Call& call, std::string_view letters, const char* argument, char letter) {
  if (letters.find(letter) == letters.npos)
    fail(call, world_rank(), {{argument}, std::string(" is '") + letter + "', must be one of " + std::string(letters)});
}

}  // namespace
}  // namespace xredist::core

extern "C" void xredist_pblas(const xredist_pblas_call* its) {
  using namespace xredist::core;
  const Type type = type_of(its->type);
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
  if (call.form == Form::tradd) demand(call, "UL", "UPLO", uplo);
  if (call.form != Form::tran) demand(call, "NTC", "TRANS", trans);
  if (call.scalars.alpha == 0.0 && call.scalars.beta == 1.0) return;
  redistribute(call);
}
