// SPDX-License-Identifier: BSD-3-Clause
// The function of pblas.h.
#include "xredist/pblas.h"

#include <algorithm>
#include <string>

#include "api/operation.hpp"
#include "scalapack/check.hpp"

namespace xredist::core {
namespace {

// PBLAS counts the entries of all descriptors as if they had the size of the first block, and checks that first.
int as_pblas_counts(int info) {
  constexpr int last_size = nb_ + 1;
  return info < -100 && -info % 100 > last_size ? info - 2 : info;
}

// What PBLAS checks before anything else, whatever alpha, beta, M and N are; without communication.
Wrong wrong_call(const Call& call) {
  const auto context = [](const Name& name, xredist_int ctxt) {
    return grid_of(ctxt).member() ? Wrong{} : is(name, ctxt, ", not a context with this process");
  };
  const xredist_int ctxt = call.a.desc[ctxt_];
  const Wrong wrong = first_of({
      call.form == Form::tradd ? none_of("UL", "U or L", {"UPLO"}, call.uplo) : Wrong{},
      call.form != Form::tran ? none_of("NTC", "N, T or C", {"TRANS"}, call.operation.trans) : Wrong{},
      context({"DESCA", ctxt_}, ctxt),
      context({"CTXT"}, call.ctxt),
      call.ctxt == ctxt ? Wrong{} : is({"CTXT"}, call.ctxt, ", must be the context of A, " + std::to_string(ctxt)),
      wrong_size(call),
  });
  if (wrong) return wrong;
  const Grid grid = grid_of(ctxt);
  return first_of({wrong_argument(call, Which::a, grid), wrong_argument(call, Which::b, grid)});
}

// C := beta C on this process. PBLAS does not reference A if alpha is 0, and not C either if beta is 1.
void scale(const Call& call, Type type) {
  if (call.scalars.beta == 1.0) return;
  const xredist_int* desc = call.b.desc;
  const Grid grid = grid_of(desc[ctxt_]);
  const Axis rows{desc[mb_], grid.nprow, desc[rsrc_], call.b.i - 1};
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], call.b.j - 1};
  const Change update(type, type, false, call.scalars);
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
    change(update, nullptr, static_cast<std::byte*>(call.b.data) + offset * bytes, count);
  }
}

}  // namespace
}  // namespace xredist::core

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
  try {
    if (const Wrong wrong = wrong_call(call)) fail(call, world_rank(), wrong);
    if (call.m == 0 || call.n == 0) return;
    if (call.scalars.alpha == 0.0) return scale(call, type);
    // Without the columns or rows that have no elements of the trapezoid: those of A need not exist.
    if (call.form == Form::tradd) (uplo == 'U' ? call.m : call.n) = std::min(call.m, call.n);
    redistribute(call);
  } catch (const WrongArgument& error) {
    its->abort(static_cast<int>(call.ctxt), its->routine, as_pblas_counts(error.info));
  }
}
