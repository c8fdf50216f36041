// SPDX-License-Identifier: BSD-3-Clause
// Plans on the context of a BLACS (blacs.h).
#include "scalapack/plans.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "api/errors.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/progress.hpp"
#include "scalapack/context.hpp"
#include "scalapack/together.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view argument_names[] = {"OPERATION", "PLAN", "DESCA",  "DESCB",  "M",      "N",      "IA",  "JA",
                                               "IB",        "JB",   "ROWS_A", "COLS_A", "ROWS_B", "COLS_B", "CTXT"};
constexpr Routine routine{"xredist_plan_create_blacs", argument_names, ErrorStyle::names};

// Makes a plan if no process has an error. A process that lacks memory takes part in all reductions, and then all
// processes return the same code.
int make(xredist_int ctxt, MatrixMove move, const xredist_operation& operation, Finding finding, xredist_plan** plan) {
  LibraryLock lock;
  Context& context = context_for_plans(demanded(routine, communicator_of(ctxt)), lock);
  Channel& channel = context.channel();
  std::unique_ptr<xredist_plan> made;
  const int mine = coded([&] {
    const CallValues agreed =
        agree_together(routine, move, view_of(move, context), std::move(finding), context, lock->progress);
    made = std::make_unique<xredist_plan>(channel, plan_source(routine, context, agreed, executions_of_plan));
    for (const auto& [region, of_elements] : parts_of(operation, fortran_integer)) {
      move.region = region;
      move.operation = of_elements;
      made->add(plan_call(move, context, agreed, made->source), lock->queue);
    }
    made->lda = grid_of(move.a.desc[ctxt_]).member() ? move.a.desc[lld_] : 0;
    made->ldb = grid_of(move.b.desc[ctxt_]).member() ? move.b.desc[lld_] : 0;
  });
  int code = mine;
  reduce(&code, 1, MPI_INT, MPI_MAX, channel.comm(), lock->progress);
  if (code == 0) *plan = made.release();
  return common_code(mine, code, context);
}

}  // namespace

int create_plan_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                           const xredist_operation* passed, const xredist_partitions& partitions,
                           const MaybeError& found, xredist_plan** plan) {
  int code = XREDIST_SUCCESS;
  const int failed = coded([&] {
    if (plan != nullptr) *plan = nullptr;
    demand(mpi_error({"ctxt"}));
    const xredist_operation operation = with_defaults(passed != nullptr ? *passed : xredist_operation{});
    const auto [rows_a, cols_a, rows_b, cols_b] = partitions;
    const MatrixMove move{
        .m = operation.m,
        .n = operation.n,
        .a = {nullptr, operation.ia, operation.ja, desca != nullptr ? desca : outside_of_grid, rows_a, cols_a},
        .b = {nullptr, operation.ib, operation.jb, descb != nullptr ? descb : outside_of_grid, rows_b, cols_b},
        .region = region_of(operation),
        .operation = {.transposed = transposes(operation)},
        .bytes = operation.bytes,
        .elements = signature_of(operation)};
    Finding finding = finding_of([&] {
      return first_of({found, null_error({"OPERATION"}, passed), null_error({"PLAN"}, plan),
                       null_error({"DESCA"}, desca), null_error({"DESCB"}, descb),
                       elements_error(operation, fortran_integer)});
    });
    code = make(ctxt, move, operation, std::move(finding), plan);
  });
  return failed != 0 ? failed : code;
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_plan_create_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                              const xredist_operation* operation, const xredist_partitions* partitions,
                              xredist_plan** plan) {
  return create_plan_on_context(ctxt, desca, descb, operation,
                                partitions != nullptr ? *partitions : xredist_partitions{}, {}, plan);
}

int xredist_set_option_blacs(xredist_int ctxt, const char* name, const char* value) {
  const int error = coded([&] {
    demand(mpi_error({"ctxt"}));
    demand(context_error({"ctxt"}, ctxt));
  });
  return error != 0 ? error : xredist_set_option(communicator(ctxt), name, value);
}
