// SPDX-License-Identifier: BSD-3-Clause
// The function of pblas.h.
#include "xredist/pblas.h"

#include <algorithm>
#include <exception>

#include "api/matrix_operation.hpp"
#include "scalapack/move.hpp"
#include "scalapack/pblas_checks.hpp"

namespace xredist::core {
namespace {

// Returns the number that PBLAS's routine passes to PB_Cabort: -k for argument k, -(100 k + e) for entry e of
// descriptor k. PBLAS counts the entries of all descriptors as if they had the size of the first block, and checks
// that size first.
int info_of(const InvalidRoutineArgument& error) {
  const int number = static_cast<int>(error.number), entry = number % 100;
  if (entry == 0) return -number / 100;
  constexpr int last_size = nb_ + 1;
  return entry > last_size ? -number - 2 : -number;
}

// Computes C := beta C on this process. If beta is 1, PBLAS does not reference C.
void scale(const Routine& routine, const MatrixMove& move, Type type) {
  if (move.scalars.beta == 1.0) return;
  const MatrixArguments& c = move.matrices[1];
  const xredist_int* const desc = c.desc;
  const Grid grid = grid_of(desc[ctxt_]);
  const Axis rows = c.axis(0, grid.nprow), cols = c.axis(1, grid.npcol);
  const Update scaling(type, type, false, move.scalars);
  const Index bytes = bytes_of(type, 0);
  const auto local_row = [&](Index row) { return local_count(rows, grid.myrow, rows.first + row); };
  Index local_column = local_count(cols, grid.mycol, cols.first);
  for (Index col = 0; col < move.n; ++col) {
    if (owner(cols, col) != grid.mycol) continue;
    const Interval moved = rows_of(move.region, col, move.m);
    const Index begin = local_row(moved.begin), count = local_row(moved.end) - begin;
    const Index offset = begin + local_column++ * desc[lld_];
    if (count == 0) continue;
    if (move.b == nullptr) demand(routine, ArgumentError{{"B"}, " is NULL on a process that holds a part of it"});
    update(scaling, nullptr, static_cast<std::byte*>(move.b) + offset * bytes, count);
  }
}

// Carries out a call.
void compute(const Caller& caller, const xredist_pblas_call& passed) {
  const Type type = *type_of(passed.type);
  const char uplo = capital(passed.uplo), trans = capital(passed.trans);
  const bool trapezoid = caller.routine.has("UPLO");
  const xredist_operation letters{
      .type = passed.type, .type_b = passed.type, .trans = trans, .uplo = uplo, .diag = 'N', .mirror = 'N'};
  MatrixMove move{.m = passed.m,
                  .n = passed.n,
                  .matrices = {{{Which::a, passed.desca, {passed.ia, passed.ja}},
                                {Which::b, passed.descc, {passed.ic, passed.jc}}}},
                  .a = passed.a,
                  .b = passed.c,
                  .region = {!trapezoid    ? Region::Kind::all
                             : uplo == 'U' ? Region::Kind::upper
                                           : Region::Kind::lower},
                  .operation = operation_of(letters),
                  .scalars = {scalar_from(type, passed.alpha), scalar_from(type, passed.beta)},
                  .bytes = bytes_of(type, 0),
                  .elements = signature_of(letters)};
  demand(caller.routine, pblas_error(caller.routine, passed, move));
  if (move.m == 0 || move.n == 0) return;
  if (move.scalars.alpha == 0.0) return scale(caller.routine, move, type);
  // Leaves out the columns or rows without elements of the trapezoid, which need not exist in A.
  if (trapezoid) (uplo == 'U' ? move.m : move.n) = std::min(move.m, move.n);
  redistribute(caller, move, Arguments::checked);
}

}  // namespace
}  // namespace xredist::core

extern "C" void xredist_pblas(const xredist_pblas_call* passed) {
  using namespace xredist::core;
  const Routine routine = pblas_routine(*passed);
  const xredist_int ctxt = passed->descc[ctxt_];
  const Caller caller{routine, ctxt};
  try {
    compute(caller, *passed);
  } catch (const InvalidRoutineArgument& error) {
    if (passed->abort == nullptr) fail(caller, error);
    passed->abort(static_cast<int>(ctxt), passed->routine, info_of(error));
  } catch (const std::exception& error) {
    fail(caller, error);
  }
}
