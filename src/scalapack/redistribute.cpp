// SPDX-License-Identifier: BSD-3-Clause
// A call: the processes agree on the arguments, plan, and exchange.
#include "api/operation.hpp"
#include "exchange/channels.hpp"
#include "report/report.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/move.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

// Returns the error of an array that this process accesses.
MaybeError array_error(const ArgumentRef& argument, const void* data, const LocalPart& part) {
  if (!part.accessed || data != nullptr) return {};
  return ArgumentError{argument, " is NULL on a process that holds a part of it"};
}

// Returns the next execution of the plan for these values. Makes the plan if no recent call had these values.
Execution execution_of(const Routine& routine, const MatrixMove& move, const Values& agreed, Context& context,
                       const LibraryLock& lock) {
  if (KnownPlan* known = context.plans.find(agreed)) return next_execution(routine, *known, context, lock);
  Plan plan = plan_call(routine, move, context, agreed, 1);
  return {context.plans.add(agreed, std::move(plan), context.channel().options().cache).parts, Untimed{}};
}

void execute(Execution& execution, const MatrixMove& move, Channel& channel, const LibraryLock& lock) {
  const Plan& plan = execution.parts->front();
  const Job job{&plan,
                {static_cast<const std::byte*>(move.a), plan.a.accessed ? move.matrices[0].desc[lld_] : 0},
                {static_cast<std::byte*>(move.b), plan.b.accessed ? move.matrices[1].desc[lld_] : 0},
                move.scalars};
  Queue& queue = lock->queue;
  const auto exchange = queue.start({&job, 1}, channel, lock->lane());
  execution.start_agreement();
  if (exchange) queue.wait(*exchange, lock->progress);
  queue.advance_until([&] { return execution.agreed(); }, lock->progress);
  execution.end();
}

void log_speed(const Routine& routine, const MatrixMove& move, double seconds) {
  const double bytes = static_cast<double>(move.m * move.n * move.bytes);
  write_log("%s moved %lld x %lld elements in %.6f s, %.3g GB/s", routine.name, static_cast<long long>(move.m),
            static_cast<long long>(move.n), seconds, 1e-9 * bytes / seconds);
}

// Carries out a call of which this process has checked the arguments.
void carry_out(const Question& question, const MatrixMove& move, const View& view, Context& context,
               const LibraryLock& lock) {
  const Routine& routine = question.routine;
  Channel& channel = context.channel();
  const bool reported = channel.rank() == 0 && channel.options().report != 0;
  const bool logged = channel.rank() == 0 && channel.options().verbose >= 2;
  const double called = reported ? MPI_Wtime() : 0;
  const Values agreed = agree(question, view, context, lock->progress);
  context.explore_for(move.m * move.n * move.bytes, lock->progress);
  Execution execution = execution_of(routine, move, agreed, context, lock);
  const Plan& plan = execution.parts->front();
  demand(routine, array_error({"A"}, move.a, plan.a));
  demand(routine, array_error({"B"}, move.b, plan.b));

  const double start = logged ? MPI_Wtime() : 0;
  execute(execution, move, channel, lock);
  if (reported) report(routine.name, plan.redistribution, 1, MPI_Wtime() - called);
  if (logged) log_speed(routine, move, MPI_Wtime() - start);
}

}  // namespace

Question question_of(const Routine& routine, const MatrixMove& move) {
  return {
      routine, move.matrices, {move.m, move.n, move.elements, static_cast<Index>(move.region.kind), move.region.shift}};
}

MaybeError arguments_error(const Routine& routine, const MatrixMove& move, const View& view) {
  if (MaybeError error = size_error(routine, move.m, move.n)) return error;
  for (std::size_t k = 0; k < move.matrices.size(); ++k)
    if (const Grid& grid = view.grids[k].grid; grid.member())
      if (MaybeError error = matrix_error(routine, move.matrices[k], move.size(both[k]), grid)) return error;
  return {};
}

void redistribute(const Caller& caller, const MatrixMove& move) {
  if (move.m == 0 || move.n == 0) return;
  LibraryLock lock;
  Context& context = context_of(communicator_of(caller), lock);
  const Question question = question_of(caller.routine, move);
  const View view = view_of(question, context.rosters);
  const bool known = context.is_known(view.passed);
  if (!known) demand(caller.routine, arguments_error(caller.routine, move, view));
  carry_out(question, move, view, context, lock);
  if (!known) context.remember(view.passed);
}

void redistribute_checked(const Caller& caller, const MatrixMove& move) {
  if (move.m == 0 || move.n == 0) return;
  LibraryLock lock;
  Context& context = context_of(communicator_of(caller), lock);
  const Question question = question_of(caller.routine, move);
  carry_out(question, move, view_of(question, context.rosters), context, lock);
}

}  // namespace xredist::core
