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

// In the place of a descriptor that is NULL.
constexpr xredist_int outside_of_grid[] = {1, -1, 0, 0, 0, 0, 0, 0, 0};

#ifdef XREDIST_ILP64
constexpr Type integer = Type::integer64;
#else
constexpr Type integer = Type::integer;
#endif

Wrong null(const Name& name, const void* pointer) { return pointer != nullptr ? Wrong{} : Wrong{name, " is NULL"}; }

Wrong wrong_choice(const Call& call, const xredist_int* desca, const xredist_int* descb, xredist_plan** plan) {
  return first_of({
      none_of("ISDCZ", "I, S, D, C or Z", {"TYPE"}, call.operation.type_a),
      none_of("AUL", "A, U or L", {"UPLO"}, call.uplo),
      none_of("NU", "N or U", {"DIAG"}, call.diag),
      null({"DESCA"}, desca),
      null({"DESCB"}, descb),
      null({"PLAN"}, plan),
  });
}

Wrong wrong_choice(const xredist_operation* operation, xredist_int m, xredist_int n, const xredist_int* desca,
                   const xredist_int* descb, xredist_plan** plan) {
  const Name its{"OPERATION"};
  if (operation == nullptr) return null(its, operation);
  const char* field = wrong_field(*operation, m, n, integer);
  return first_of({field == nullptr ? Wrong{} : Wrong{its, std::string(": ") + field + " is wrong"},
                   null({"DESCA"}, desca), null({"DESCB"}, descb), null({"PLAN"}, plan)});
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

// A process that lacks memory for its plan takes part in all reductions, and then all return what it does.
int make(const Call& call, const Wrong& wrong, xredist_plan** plan) {
  LibraryLock lock;
  Context& context = context_for_plans(call, lock);
  Channel& channel = context.channel();
  std::unique_ptr<xredist_plan> made;
  int error = coded(call, [&] {
    PlanKey key = agree(call, wrong, context, lock);
    made = std::make_unique<xredist_plan>(channel);
    for (const auto& [region, operation] : parts_of(call.operation, call.m, call.n, integer)) {
      key.region = region;
      key.operation = operation;
      made->add(plan_for(call, context, key, channel.links()), lock.process().queue);
    }
    made->lda = grid_of(call.a.desc[ctxt_]).member() ? call.a.desc[lld_] : 0;
    made->ldb = grid_of(call.b.desc[ctxt_]).member() ? call.b.desc[lld_] : 0;
    return 0;
  });
  reduce(&error, 1, MPI_INT, MPI_MAX, channel.comm(), lock);
  if (error > 0) context.forget_rosters();
  if (error == 0) *plan = made.release();
  return error;
}

// For all functions. `wrong` tells what is wrong with what the call does not have: descriptors are as they were passed.
template <class WrongChoice>
int make(Call call, WrongChoice wrong, xredist_plan** plan, xredist_int* info) {
  if (plan != nullptr) *plan = nullptr;
  if (call.a.desc == nullptr) call.a.desc = outside_of_grid;
  if (call.b.desc == nullptr) call.b.desc = outside_of_grid;
  call.returns_errors = info != nullptr;
  const int error = coded(call, [&] { return make(call, wrong(call), plan); });
  if (info != nullptr) *info = error;
  return error;
}

// For elements that change on their way.
int make(const char* routine, Form form, const xredist_operation* operation, xredist_int m, xredist_int n,
         const Operand<const void*>& a, const Operand<void*>& b, xredist_int ctxt, xredist_plan** plan,
         xredist_int* info) {
  const xredist_operation its = operation != nullptr ? *operation : xredist_operation{};
  Call call{routine, form, 0, its.uplo, its.diag, m, n, a, b, false, ctxt};
  call.operation = its;
  return make(
      call, [&](const Call&) { return wrong_choice(operation, m, n, a.desc, b.desc, plan); }, plan, info);
}

}  // namespace
}  // namespace xredist::core

extern "C" {

int xredist_plan_from_descriptors(char type, char uplo, char diag, xredist_int m, xredist_int n, xredist_int ia,
                                  xredist_int ja, const xredist_int* desca, xredist_int ib, xredist_int jb,
                                  const xredist_int* descb, xredist_int ctxt, xredist_plan** plan, xredist_int* info) {
  using namespace xredist::core;
  Call call{
      "XREDIST_PLAN_FROM_DESCRIPTORS", Form::plan, 0,   capital(uplo), capital(diag), m, n, {nullptr, ia, ja, desca},
      {nullptr, ib, jb, descb},        false,      ctxt};
  call.operation = {capital(type), capital(type), 'N', capital(uplo), capital(diag), 'N'};
  return make(
      call, [&](const Call& its) { return wrong_choice(its, desca, descb, plan); }, plan, info);
}

int xredist_plan_operation_from_descriptors(const xredist_operation* operation, xredist_int m, xredist_int n,
                                            xredist_int ia, xredist_int ja, const xredist_int* desca, xredist_int ib,
                                            xredist_int jb, const xredist_int* descb, xredist_int ctxt,
                                            xredist_plan** plan, xredist_int* info) {
  using namespace xredist::core;
  return make("XREDIST_PLAN_OPERATION_FROM_DESCRIPTORS", Form::operation, operation, m, n, {nullptr, ia, ja, desca},
              {nullptr, ib, jb, descb}, ctxt, plan, info);
}

int xredist_plan_partition_from_descriptors(const xredist_operation* operation, xredist_int m, xredist_int n,
                                            xredist_int ia, xredist_int ja, const xredist_int* desca,
                                            const xredist_partition* rows_a, const xredist_partition* cols_a,
                                            xredist_int ib, xredist_int jb, const xredist_int* descb,
                                            const xredist_partition* rows_b, const xredist_partition* cols_b,
                                            xredist_int ctxt, xredist_plan** plan, xredist_int* info) {
  using namespace xredist::core;
  return make("XREDIST_PLAN_PARTITION_FROM_DESCRIPTORS", Form::partition, operation, m, n,
              {nullptr, ia, ja, desca, rows_a, cols_a}, {nullptr, ib, jb, descb, rows_b, cols_b}, ctxt, plan, info);
}

int xredist_set_context_option(xredist_int ctxt, const char* name, const char* value) {
  using namespace xredist::core;
  return xredist_set_option(grid_of(ctxt).member() ? communicator(ctxt) : MPI_COMM_NULL, name, value);
}

#ifdef XREDIST_ILP64
int xredist_plan_from_descriptors_64(char type, char uplo, char diag, xredist_int m, xredist_int n, xredist_int ia,
                                     xredist_int ja, const xredist_int* desca, xredist_int ib, xredist_int jb,
                                     const xredist_int* descb, xredist_int ctxt, xredist_plan** plan,
                                     xredist_int* info) {
  return xredist_plan_from_descriptors(type, uplo, diag, m, n, ia, ja, desca, ib, jb, descb, ctxt, plan, info);
}

int xredist_plan_operation_from_descriptors_64(const xredist_operation* operation, xredist_int m, xredist_int n,
                                               xredist_int ia, xredist_int ja, const xredist_int* desca, xredist_int ib,
                                               xredist_int jb, const xredist_int* descb, xredist_int ctxt,
                                               xredist_plan** plan, xredist_int* info) {
  return xredist_plan_operation_from_descriptors(operation, m, n, ia, ja, desca, ib, jb, descb, ctxt, plan, info);
}

int xredist_plan_partition_from_descriptors_64(const xredist_operation* operation, xredist_int m, xredist_int n,
                                               xredist_int ia, xredist_int ja, const xredist_int* desca,
                                               const xredist_partition* rows_a, const xredist_partition* cols_a,
                                               xredist_int ib, xredist_int jb, const xredist_int* descb,
                                               const xredist_partition* rows_b, const xredist_partition* cols_b,
                                               xredist_int ctxt, xredist_plan** plan, xredist_int* info) {
  return xredist_plan_partition_from_descriptors(operation, m, n, ia, ja, desca, rows_a, cols_a, ib, jb, descb, rows_b,
                                                 cols_b, ctxt, plan, info);
}

int xredist_set_context_option_64(xredist_int ctxt, const char* name, const char* value) {
  return xredist_set_context_option(ctxt, name, value);
}
#endif

}  // extern "C"
