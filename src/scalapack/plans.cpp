// SPDX-License-Identifier: BSD-3-Clause
// The functions of blacs.h.
#include <memory>

#include "api/errors.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/progress.hpp"
#include "scalapack/call.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {
namespace {

// Stands for a descriptor that is NULL.
constexpr xredist_int outside_of_grid[] = {1, -1, 0, 0, 0, 0, 0, 0, 0};

// Makes a plan if no process has an error. A process that lacks memory takes part in all reductions, and then all
// processes return the same code.
int make(const Call& call, const Checked& error, xredist_plan** plan) {
  LibraryLock lock;
  Context& context = context_for_plans(call, lock);
  Channel& channel = context.channel();
  std::unique_ptr<xredist_plan> made;
  const int mine = coded([&] {
    const Agreement agreed = agree(call, error, context, lock);
    made = std::make_unique<xredist_plan>(channel);
    for (const RegionOperation& part : parts_of(call.operation, fortran_integer))
      made->add(make_plan(call, context, agreed, part), lock.process().queue);
    made->units = units_of(call.operation);
    made->lda = grid_of(call.a.desc[ctxt_]).member() ? call.a.desc[lld_] : 0;
    made->ldb = grid_of(call.b.desc[ctxt_]).member() ? call.b.desc[lld_] : 0;
  });
  int code = mine;
  reduce(&code, 1, MPI_INT, MPI_MAX, channel.comm(), lock);
  if (code != 0) context.rosters.forget();
  if (code == 0) *plan = made.release();
  if (code == mine) return code;
  const bool invalid = code == XREDIST_INVALID_ARGUMENT;
  return failure(static_cast<xredist_code>(code),
                 invalid ? "an argument is invalid on another process" : "out of memory on another process");
}

}  // namespace

int create_plan(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb, const xredist_operation* passed,
                const xredist_partitions& partitions, const Checked& found, xredist_plan** plan) {
  int code = XREDIST_SUCCESS;
  const int failed = coded([&] {
    if (plan != nullptr) *plan = nullptr;
    demand(mpi_error({"ctxt"}));
    const xredist_operation operation = with_defaults(passed != nullptr ? *passed : xredist_operation{});
    const auto [rows_a, cols_a, rows_b, cols_b] = partitions;
    const Call call{
        .routine = "xredist_plan_create_blacs",
        .form = Form::plan,
        .bytes = unit_bytes(operation),
        .operation = operation,
        .m = operation.m,
        .n = operation.n,
        .a = {nullptr, operation.ia, operation.ja, desca != nullptr ? desca : outside_of_grid, rows_a, cols_a},
        .b = {nullptr, operation.ib, operation.jb, descb != nullptr ? descb : outside_of_grid, rows_b, cols_b},
        .ctxt = ctxt};
    const Checked error =
        first_of({found, null_error({"OPERATION"}, passed), null_error({"PLAN"}, plan), null_error({"DESCA"}, desca),
                  null_error({"DESCB"}, descb), elements_error(operation, fortran_integer)});
    code = make(call, error, plan);
  });
  return failed != 0 ? failed : code;
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_plan_create_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                              const xredist_operation* operation, const xredist_partitions* partitions,
                              xredist_plan** plan) {
  return create_plan(ctxt, desca, descb, operation, partitions != nullptr ? *partitions : xredist_partitions{}, {},
                     plan);
}

int xredist_set_option_blacs(xredist_int ctxt, const char* name, const char* value) {
  const int error = coded([&] {
    demand(mpi_error({"ctxt"}));
    demand(context_error({"ctxt"}, ctxt));
  });
  return error != 0 ? error : xredist_set_option(communicator(ctxt), name, value);
}
