// SPDX-License-Identifier: BSD-3-Clause
// The function of pblas.h.
#include "xredist/pblas.h"

#include <algorithm>
#include <string>

#include "api/operation.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {
namespace {

// Returns a code with the number that PBLAS gives to an entry. PBLAS counts the entries of all descriptors as if they
// had the size of the first block, and checks that size first.
int as_pblas_counts(int info) {
  constexpr int last_size = nb_ + 1;
  return info < -100 && -info % 100 > last_size ? info - 2 : info;
}

// Checks the arguments as PBLAS does: first of all, for any alpha, beta, M and N, and without communication.
Checked call_error(const Call& call) {
  const xredist_int ctxt = call.a.desc[ctxt_];
  Checked error = first_of({
      call.form == Form::tradd ? letter_error("UL", "U or L", {"UPLO"}, call.operation.uplo) : Checked{},
      call.form != Form::tran ? letter_error("NTC", "N, T or C", {"TRANS"}, call.operation.trans) : Checked{},
      context_error({"DESCA", ctxt_}, ctxt),
      context_error({"CTXT"}, call.ctxt),
      call.ctxt == ctxt ? Checked{}
                        : value_error({"CTXT"}, call.ctxt, ", must be the context of A, " + std::to_string(ctxt)),
      size_error(call),
  });
  if (error) return error;
  const Grid grid = grid_of(ctxt);
  return first_of({matrix_error(call, Which::a, grid), matrix_error(call, Which::b, grid)});
}

// Computes C := beta C on this process. If beta is 1, PBLAS does not reference C.
void scale(const Call& call, Type type) {
  if (call.scalars.beta == 1.0) return;
  const xredist_int* desc = call.b.desc;
  const Grid grid = grid_of(desc[ctxt_]);
  const Axis rows{desc[mb_], grid.nprow, desc[rsrc_], call.b.i - 1};
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], call.b.j - 1};
  const Update scaling(type, type, false, call.scalars);
  const Index bytes = bytes_of(type, 0);
  const auto local_row = [&](Index i) { return local_count(rows, grid.myrow, rows.first + i); };
  Index local_column = local_count(cols, grid.mycol, cols.first);
  for (Index j = 0; j < call.n; ++j) {
    if (owner(cols, j) != grid.mycol) continue;
    const Interval moved = rows_of(call.region(), j, call.m);
    const Index begin = local_row(moved.begin), count = local_row(moved.end) - begin;
    const Index offset = begin + local_column++ * desc[lld_];
    if (count == 0) continue;
    if (call.b.data == nullptr) fail(call, world_rank(), {{"B"}, " is NULL on a process that holds a part of it"});
    update(scaling, nullptr, static_cast<std::byte*>(call.b.data) + offset * bytes, count);
  }
}

}  // namespace
}  // namespace xredist::core

extern "C" void xredist_pblas(const xredist_pblas_call* passed) {
  using namespace xredist::core;
  const Type type = *type_of(passed->type);
  const char uplo = capital(passed->uplo), trans = capital(passed->trans);
  constexpr Form forms[] = {Form::tran, Form::geadd, Form::tradd};
  Call call{
      .routine = passed->routine,
      .form = forms[passed->before_m],
      .bytes = bytes_of(type, 0),
      .operation =
          {.type = passed->type, .type_b = passed->type, .trans = trans, .uplo = uplo, .diag = 'N', .mirror = 'N'},
      .m = passed->m,
      .n = passed->n,
      .a = {passed->a, passed->ia, passed->ja, passed->desca},
      .b = {passed->c, passed->ic, passed->jc, passed->descc},
      .ctxt = passed->descc[ctxt_],
      .scalars = {scalar_from(type, passed->alpha), scalar_from(type, passed->beta)},
      .returns_errors = passed->abort != nullptr};
  try {
    if (const Checked error = call_error(call)) fail(call, world_rank(), *error);
    if (call.m == 0 || call.n == 0) return;
    if (call.scalars.alpha == 0.0) return scale(call, type);
    // Leaves out the columns or rows without elements of the trapezoid, which need not exist in A.
    if (call.form == Form::tradd) (uplo == 'U' ? call.m : call.n) = std::min(call.m, call.n);
    redistribute(call);
  } catch (const WrongArgument& error) {
    passed->abort(static_cast<int>(call.ctxt), passed->routine, as_pblas_counts(error.info));
  }
}
