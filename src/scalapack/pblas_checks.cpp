// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/pblas_checks.hpp"

#include <span>
#include <string>
#include <string_view>

namespace xredist::core {
namespace {

// The arguments of P?TRADD. P?GEADD lacks the first of them, P?TRAN the first two.
constexpr std::string_view tradd_arguments[] = {"UPLO", "TRANS", "M",    "N", "ALPHA", "A",  "IA",
                                                "JA",   "DESCA", "BETA", "B", "IB",    "JB", "DESCB"};
constexpr int max_before_m = 2;

}  // namespace

Routine pblas_routine(const xredist_pblas_call& call) {
  return {.name = call.routine,
          .arguments = std::span(tradd_arguments).subspan(static_cast<std::size_t>(max_before_m - call.before_m)),
          .fields = redistribution_fields,
          .style = call.abort != nullptr ? ErrorStyle::number : ErrorStyle::sentence,
          .of_pblas = true,
          .long_desca = call.desca[dtype_] == 2,
          .long_descb = call.descc[dtype_] == 2};
}

MaybeError pblas_error(const Routine& routine, const xredist_pblas_call& call, const MatrixMove& move) {
  const auto& [a, b] = move.matrices;
  const xredist_int ctxt_a = a.desc[ctxt_], ctxt = b.desc[ctxt_];
  MaybeError error = first_of({
      routine.has("UPLO") ? letter_error("UL", "U or L", {"UPLO"}, capital(call.uplo)) : MaybeError{},
      letter_error("NTC", "N, T or C", {"TRANS"}, capital(call.trans)),
      context_error({"DESCA", ctxt_}, ctxt_a),
      context_error({"CTXT"}, ctxt),
      ctxt == ctxt_a ? MaybeError{} : value_error({"CTXT"}, ctxt, Text() << ", must be the context of A, " << ctxt_a),
      size_error(routine, move.m, move.n),
  });
  if (error) return error;
  const Grid grid = grid_of(ctxt);
  return first_of(
      {matrix_error(routine, a, move.size(Which::a), grid), matrix_error(routine, b, move.size(Which::b), grid)});
}

}  // namespace xredist::core
