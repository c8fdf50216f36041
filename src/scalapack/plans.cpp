// SPDX-License-Identifier: BSD-3-Clause
// The functions of blacs.h.
#include "scalapack/plans.hpp"

#include <array>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <variant>

#include "api/errors.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "exchange/errors.hpp"
#include "exchange/progress.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {
namespace {

// Stands for a descriptor that is NULL.
constexpr xredist_int outside_of_grid[] = {1, -1, 0, 0, 0, 0, 0, 0, 0};

constexpr std::string_view argument_names[] = {"OPERATION", "PLAN", "DESCA",  "DESCB",  "M",      "N",      "IA",  "JA",
                                               "IB",        "JB",   "ROWS_A", "COLS_A", "ROWS_B", "COLS_B", "CTXT"};
constexpr Routine routine{"xredist_plan_create_blacs", argument_names, ErrorStyle::names};

template <class Value>
Value demanded(OrError<Value> result) {
  if (const auto* error = std::get_if<ArgumentError>(&result)) throw InvalidArgument(sentence_of(routine, *error));
  return std::get<Value>(std::move(result));
}

// Reports the error with the lowest number, `first`, on any process: throws the same sentence on all processes.
[[noreturn]] void fail_together(const MaybeError& error, Index first, const Channel& channel, LibraryLock& lock) {
  std::array<char, 256> text{};
  int speaker = error && number_of(routine, error->argument) == first ? channel.rank() : channel.size();
  const int rank = speaker;
  reduce(&speaker, 1, MPI_INT, MPI_MIN, channel.comm(), lock);
  if (rank == speaker) (name_of(routine, error->argument) + error->reason).copy(text.data(), text.size() - 1);
  reduce(text.data(), static_cast<int>(text.size()), MPI_UNSIGNED_CHAR, MPI_MAX, channel.comm(), lock);
  throw InvalidArgument(text.data());
}

// Checks the arguments, and has all processes agree on them. `error`: an error that the caller has found. All processes
// throw the same exception about the first argument that is wrong on any process, or about a lack of memory.
Agreement agree_on_plan(const MatrixMove& move, MaybeError error, Context& context, LibraryLock& lock) {
  const CallView view = view_of(move, context);
  bool lacks_memory = false;
  try {
    if (!error) error = arguments_error(routine, move, view);
  } catch (const std::bad_alloc&) {
    lacks_memory = true;  // the other processes wait to be told
  }
  const Index mine = lacks_memory ? no_memory : error ? number_of(routine, error->argument) : unknown;
  const Outcome outcome = compare({mine, view.passed.values}, context.channel().comm(), lock);
  if (outcome.min.error == no_memory) throw OutOfMemorySomewhere();
  if (outcome.max.error != unknown) fail_together(error, outcome.min.error, context.channel(), lock);
  return demanded(agreement_of(routine, view, outcome, context, lock));
}

// Makes a plan if no process has an error. A process that lacks memory takes part in all reductions, and then all
// processes return the same code.
int make(xredist_int ctxt, MatrixMove move, const xredist_operation& operation, MaybeError error, xredist_plan** plan) {
  LibraryLock lock;
  Context& context = context_for_plans(demanded(communicator_of(ctxt)), lock);
  Channel& channel = context.channel();
  std::unique_ptr<xredist_plan> made;
  const int mine = coded([&] {
    const Agreement agreed = agree_on_plan(move, std::move(error), context, lock);
    made = std::make_unique<xredist_plan>(channel);
    made->units = units_of(operation);
    for (const auto& [region, of_elements] : parts_of(operation, fortran_integer)) {
      move.region = region;
      move.operation = of_elements;
      made->add(plan_call(routine, move, context, agreed, executions_of_plan, made->units), lock.process().queue);
    }
    made->lda = grid_of(move.a.desc[ctxt_]).member() ? move.a.desc[lld_] : 0;
    made->ldb = grid_of(move.b.desc[ctxt_]).member() ? move.b.desc[lld_] : 0;
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
        .bytes = unit_bytes(operation),
        .elements = signature_of(operation)};
    MaybeError error =
        first_of({found, null_error({"OPERATION"}, passed), null_error({"PLAN"}, plan), null_error({"DESCA"}, desca),
                  null_error({"DESCB"}, descb), elements_error(operation, fortran_integer)});
    code = make(ctxt, move, operation, std::move(error), plan);
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
