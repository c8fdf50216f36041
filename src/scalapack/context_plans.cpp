// SPDX-License-Identifier: BSD-3-Clause
// Plans on the context of a BLACS (blacs.h).
#include "scalapack/context_plans.hpp"

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "api/compare.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_calls.hpp"
#include "api/plan_handle.hpp"
#include "exchange/channels.hpp"
#include "exchange/progress.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/move.hpp"
#include "scalapack/stated.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view plan_arguments[] = {"OPERATION", "PLAN",   "DESCA",      "DESCB", "M",      "N",
                                               "IA",        "JA",     "IB",         "JB",    "ROWS_A", "COLS_A",
                                               "ROWS_B",    "COLS_B", "PARTITIONS", "CTXT"};
constexpr Field plan_fields[] = {{{"M"}},
                                 {{"N"}},
                                 {{}, "a letter or the size of the elements differs between processes"},
                                 {{"UPLO"}, differs},
                                 {{"DIAG"}, differs},
                                 {{"OPERATION", -1, ".rows_a"}, differs},
                                 {{"OPERATION", -1, ".cols_a"}, differs},
                                 {{"OPERATION", -1, ".rows_b"}, differs},
                                 {{"OPERATION", -1, ".cols_b"}, differs}};
constexpr Routine plan_routine{"xredist_plan_create_blacs", plan_arguments, plan_fields, ErrorStyle::names};

// Returns the question about a plan, whose lists have no errors unless this process has failed.
Question question_about(const MatrixMove& move, const xredist_operation& operation, bool failed) {
  Question question = question_of(plan_routine, move);
  if (failed) return question;
  const auto [rows_a, cols_a] = count_in_a(operation);
  question.fields[5] = fingerprint(operation.rows_a, rows_a);
  question.fields[6] = fingerprint(operation.cols_a, cols_a);
  question.fields[7] = fingerprint(operation.rows_b, operation.m);
  question.fields[8] = fingerprint(operation.cols_b, operation.n);
  return question;
}

// Agrees on the arguments, which `check` checks on this process, and makes the plan. Fails on some processes only if
// memory runs out.
std::unique_ptr<xredist_plan> make(const MatrixMove& move, const xredist_operation& operation, const Failure* callers,
                                   Context& context, const LibraryLock& lock) {
  const Question question = question_about(move, operation, callers != nullptr);
  const View view = view_of(question, context.rosters);
  Options options = context.channel().options();
  const auto checked = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(plan_routine, arguments_error(plan_routine, move, view.grids[0].grid, view.grids[1].grid));
    options = options_of(operation.options, options);
  });
  const Values agreed =
      agree_by_reduction(question, view, checked.failure(), context.rosters, context.channel(), lock->progress);
  auto made = std::make_unique<xredist_plan>(context.channel(),
                                             plan_source(plan_routine, context, agreed, options, executions_of_plan));
  const auto [layout_a, layout_b] = with_lists(
      {agreed_layout(agreed.matrices[0], move.matrices[0]), agreed_layout(agreed.matrices[1], move.matrices[1])},
      operation);
  for (const auto& [region, of_elements] : parts_of(operation, fortran_integer))
    made->add(redistribution_of(layout_a, layout_b, move.m, move.n, region, move.bytes, of_elements), lock->queue);
  const auto ld_of = [&](std::size_t k) {
    return view.grids[k].grid.member() ? move.matrices[k].desc[lld_] : xredist_int{0};
  };
  const Plan& part = made->parts->front();
  set_local_matrix(made->a, part.a.rows, part.a.cols, ld_of(0), part.redistribution.element_bytes_a());
  set_local_matrix(made->b, part.b.rows, part.b.cols, ld_of(1), part.redistribution.element_bytes_b());
  return made;
}

}  // namespace

void create_plan_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                            const xredist_operation* passed, const xredist_partitions& partitions,
                            const Failure* callers, xredist_plan** plan) {
  const InCall call(plan_routine.name, size_in(ctxt, passed));
  if (plan != nullptr) *plan = nullptr;
  demand(mpi_error({"ctxt"}));
  LibraryLock lock;
  Context& context = context_for_plans(communicator_of({plan_routine, ctxt}), lock);
  const xredist_operation operation = with_defaults(passed != nullptr ? *passed : xredist_operation{});
  const auto checked = attempt([&] {
    if (callers != nullptr) throw *callers;
    demand(plan_routine,
           first_of({null_error({"OPERATION"}, passed), null_error({"PLAN"}, plan), null_error({"DESCA"}, desca),
                     null_error({"DESCB"}, descb), elements_error(operation, fortran_integer),
                     reserved_error({"PARTITIONS", -1, ".reserved"}, partitions.reserved)}));
    demand(plan_routine, size_error(plan_routine, operation.m, operation.n));
    demand(plan_routine, lists_error(operation));
  });
  const auto& [rows_a, cols_a, rows_b, cols_b, reserved] = partitions;
  const Lists lists_a = lists_of_a(operation), lists_b = lists_of_b(operation);
  const MatrixMove move{.m = operation.m,
                        .n = operation.n,
                        .matrices = {{{Which::a, desca, {operation.ia, operation.ja}, {rows_a, cols_a}, &lists_a},
                                      {Which::b, descb, {operation.ib, operation.jb}, {rows_b, cols_b}, &lists_b}}},
                        .region = region_of(operation),
                        .operation = {.transposed = transposes(operation)},
                        .bytes = operation.bytes,
                        .elements = signature_of(operation)};
  *plan = on_context(context, lock, [&] { return make(move, operation, checked.failure(), context, lock); }).release();
}

void set_option_on_context(xredist_int ctxt, const char* name, const char* value) {
  demand(mpi_error({"ctxt"}));
  demand(context_error({"ctxt"}, ctxt));
  set_option_on(communicator(ctxt), name, value);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_plan_create_blacs(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb,
                              const xredist_partitions* partitions, const xredist_operation* operation,
                              xredist_plan** plan) {
  return coded([&] {
    create_plan_on_context(ctxt, desca, descb, operation, partitions != nullptr ? *partitions : xredist_partitions{},
                           nullptr, plan);
  });
}

int xredist_set_option_blacs(xredist_int ctxt, const char* name, const char* value) {
  return coded([&] { set_option_on_context(ctxt, name, value); });
}
