// SPDX-License-Identifier: BSD-3-Clause
// The functions of plans.h.
#include "xredist/plans.h"

#include <memory>
#include <string>
#include <string_view>

#include "api/codes.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/collectives.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/check.hpp"

namespace xredist::core {
namespace {

// Stands for a descriptor that is NULL.
constexpr xredist_int outside_of_grid[] = {1, -1, 0, 0, 0, 0, 0, 0, 0};

#ifdef XREDIST_ILP64
constexpr Type integer = Type::integer64;
#else
constexpr Type integer = Type::integer;
#endif

Checked null_error(const ArgumentRef& argument, const void* pointer) {
  return pointer != nullptr ? Checked() : ArgumentError{argument, " is NULL"};
}

Checked operation_error(const Call& call, const xredist_operation* operation) {
  if (operation == nullptr) return null_error({"OPERATION"}, operation);
  if (call.form != Form::plan) return operation_error({"OPERATION"}, *operation, call.m, call.n, integer);
  return first_of({letter_error("ISDCZ", "I, S, D, C or Z", {"TYPE"}, operation->type_a),
                   letter_error("AUL", "A, U or L", {"UPLO"}, operation->uplo),
                   letter_error("NU", "N or U", {"DIAG"}, operation->diag)});
}

// Returns what `body` returns, or the code of what it throws, unless that ends the program.
template <class Body>
int coded(const Call& call, Body body) {
  return core::coded([&] {
    try {
      return body();
    } catch (const WrongArgument& wrong) {
      return wrong.info;
    } catch (const std::exception& error) {
      if (!call.returns_errors) fail(call, error);
      throw;
    }
  });
}

// Makes a plan if no process has an error. A process that lacks memory takes part in all reductions, and then all
// processes return the same code.
int make(const Call& call, const Checked& error, xredist_plan** plan) {
  LibraryLock lock;
  Context& context = context_for_plans(call, lock);
  Channel& channel = context.channel();
  std::unique_ptr<xredist_plan> made;
  int code = coded(call, [&] {
    PlanKey key = agree(call, error, context, lock);
    made = std::make_unique<xredist_plan>(channel);
    for (const auto& [region, operation] : parts_of(call.operation, call.m, call.n, integer)) {
      key.region = region;
      key.operation = operation;
      made->add(make_plan(call.routine, context, key), lock.process().queue);
    }
    made->lda = grid_of(call.a.desc[ctxt_]).member() ? call.a.desc[lld_] : 0;
    made->ldb = grid_of(call.b.desc[ctxt_]).member() ? call.b.desc[lld_] : 0;
    return 0;
  });
  reduce(&code, 1, MPI_INT, MPI_MAX, channel.comm(), lock);
  if (code > 0) context.forget_rosters();
  if (code == 0) *plan = made.release();
  return code;
}

int make(Call call, const xredist_operation* operation, xredist_plan** plan, xredist_int* info) {
  if (plan != nullptr) *plan = nullptr;
  const xredist_int *desca = call.a.desc, *descb = call.b.desc;
  if (desca == nullptr) call.a.desc = outside_of_grid;
  if (descb == nullptr) call.b.desc = outside_of_grid;
  if (operation != nullptr) call.operation = *operation;
  call.returns_errors = info != nullptr;
  const int code = coded(call, [&] {
    const Checked error = first_of({operation_error(call, operation), null_error({"DESCA"}, desca),
                                    null_error({"DESCB"}, descb), null_error({"PLAN"}, plan)});
    return make(call, error, plan);
  });
  if (info != nullptr) *info = code;
  return code;
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

int xredist_plan_from_descriptors(char type, char uplo, char diag, xredist_int m, xredist_int n, xredist_int ia,
                                  xredist_int ja, const xredist_int* desca, xredist_int ib, xredist_int jb,
                                  const xredist_int* descb, xredist_int ctxt, xredist_plan** plan, xredist_int* info) {
  const xredist_operation operation{capital(type), capital(type), 'N', capital(uplo), capital(diag), 'N'};
  return make({.routine = "XREDIST_PLAN_FROM_DESCRIPTORS",
               .form = Form::plan,
               .m = m,
               .n = n,
               .a = {nullptr, ia, ja, desca},
               .b = {nullptr, ib, jb, descb},
               .ctxt = ctxt},
              &operation, plan, info);
}

int xredist_plan_operation_from_descriptors(const xredist_operation* operation, xredist_int m, xredist_int n,
                                            xredist_int ia, xredist_int ja, const xredist_int* desca, xredist_int ib,
                                            xredist_int jb, const xredist_int* descb, xredist_int ctxt,
                                            xredist_plan** plan, xredist_int* info) {
  return make({.routine = "XREDIST_PLAN_OPERATION_FROM_DESCRIPTORS",
               .form = Form::operation,
               .m = m,
               .n = n,
               .a = {nullptr, ia, ja, desca},
               .b = {nullptr, ib, jb, descb},
               .ctxt = ctxt},
              operation, plan, info);
}

int xredist_plan_partition_from_descriptors(const xredist_operation* operation, xredist_int m, xredist_int n,
                                            xredist_int ia, xredist_int ja, const xredist_int* desca,
                                            const xredist_partition* rows_a, const xredist_partition* cols_a,
                                            xredist_int ib, xredist_int jb, const xredist_int* descb,
                                            const xredist_partition* rows_b, const xredist_partition* cols_b,
                                            xredist_int ctxt, xredist_plan** plan, xredist_int* info) {
  return make({.routine = "XREDIST_PLAN_PARTITION_FROM_DESCRIPTORS",
               .form = Form::partition,
               .m = m,
               .n = n,
               .a = {nullptr, ia, ja, desca, rows_a, cols_a},
               .b = {nullptr, ib, jb, descb, rows_b, cols_b},
               .ctxt = ctxt},
              operation, plan, info);
}

int xredist_set_context_option(xredist_int ctxt, const char* name, const char* value) {
  return xredist_set_option(grid_of(ctxt).member() ? communicator(ctxt) : MPI_COMM_NULL, name, value);
}

#ifdef XREDIST_ILP64
XREDIST_ALIAS(xredist_plan_from_descriptors_64, xredist_plan_from_descriptors)
XREDIST_ALIAS(xredist_plan_operation_from_descriptors_64, xredist_plan_operation_from_descriptors)
XREDIST_ALIAS(xredist_plan_partition_from_descriptors_64, xredist_plan_partition_from_descriptors)
XREDIST_ALIAS(xredist_set_context_option_64, xredist_set_context_option)
#endif

}  // extern "C"
