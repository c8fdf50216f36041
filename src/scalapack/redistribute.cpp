// SPDX-License-Identifier: BSD-3-Clause
// A call: the processes agree on the arguments, plan, and exchange.
#include <exception>
#include <variant>

#include "api/operation.hpp"
#include "exchange/channels.hpp"
#include "report/report.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/move.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

OrError<CallValues> agree(const Routine& routine, const CallView& view, Context& context, Progress& progress) {
  switch (choose(view, context)) {
    case Protocol::local: return agree_locally(view, context);
    case Protocol::broadcast: return agree_by_broadcast(routine, view, context, progress);
    case Protocol::reduction: break;
  }
  return agree_by_reduction(routine, view, context, progress);
}

// Returns the error of an array that this process accesses.
MaybeError array_error(const ArgumentRef& argument, const void* data, const LocalPart& part) {
  if (!part.accessed || data != nullptr) return {};
  return ArgumentError{argument, " is NULL on a process that holds a part of it"};
}

// Returns the next execution of the plan for these values. Makes the plan if no recent call had these values.
Execution execution_of(const Routine& routine, const MatrixMove& move, const CallValues& agreed, Context& context,
                       const LibraryLock& lock) {
  if (KnownPlan* known = context.plans.find(agreed)) return next_execution(routine, *known, context, lock);
  Plan plan = plan_call(routine, move, context, agreed, 1);
  return {context.plans.add(agreed, std::move(plan), context.channel().options().cache).parts, Untimed{}};
}

void execute(Execution& execution, const MatrixMove& move, Channel& channel, const LibraryLock& lock) {
  const Plan& plan = execution.parts->front();
  const Job job{&plan,
                {static_cast<const std::byte*>(move.a.data), plan.a.accessed ? move.a.desc[lld_] : 0},
                {static_cast<std::byte*>(move.b.data), plan.b.accessed ? move.b.desc[lld_] : 0},
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
MaybeError carry_out(const Routine& routine, const MatrixMove& move, const CallView& view, Context& context,
                     const LibraryLock& lock) {
  Channel& channel = context.channel();
  const bool reported = channel.rank() == 0 && channel.options().report != 0;
  const bool logged = channel.rank() == 0 && channel.options().verbose >= 2;
  const double called = reported ? MPI_Wtime() : 0;
  OrError<CallValues> agreement = agree(routine, view, context, lock->progress);
  if (auto* error = std::get_if<ArgumentError>(&agreement)) return std::move(*error);
  context.explore_for(move.m * move.n * move.bytes, lock->progress);
  Execution execution = execution_of(routine, move, std::get<CallValues>(agreement), context, lock);
  const Plan& plan = execution.parts->front();
  if (MaybeError error = array_error({"A"}, move.a.data, plan.a)) return error;
  if (MaybeError error = array_error({"B"}, move.b.data, plan.b)) return error;

  const double start = logged ? MPI_Wtime() : 0;
  execute(execution, move, channel, lock);
  if (reported) report(routine.name, plan.redistribution, 1, MPI_Wtime() - called);
  if (logged) log_speed(routine, move, MPI_Wtime() - start);
  return {};
}

// Calls `body` with the context of a call.
template <class Body>
MaybeError in_context(const Caller& caller, const Body& body) {
  try {
    LibraryLock lock;
    OrError<MPI_Comm> comm = communicator_of(caller.ctxt);
    if (auto* error = std::get_if<ArgumentError>(&comm)) return std::move(*error);
    return body(context_of(std::get<MPI_Comm>(comm), lock), lock);
  } catch (const std::exception& error) {
    fail(caller, error);
  }
}

}  // namespace

MaybeError redistribute(const Caller& caller, const MatrixMove& move) {
  if (move.m == 0 || move.n == 0) return {};
  return in_context(caller, [&](Context& context, const LibraryLock& lock) -> MaybeError {
    const CallView view = view_of(move, context);
    const bool known = context.is_known(view.passed);
    if (!known)
      if (MaybeError error = arguments_error(caller.routine, move, view.a.grid, view.b.grid)) return error;
    if (MaybeError error = carry_out(caller.routine, move, view, context, lock)) return error;
    if (!known) context.remember(view.passed);
    return {};
  });
}

MaybeError redistribute_checked(const Caller& caller, const MatrixMove& move) {
  if (move.m == 0 || move.n == 0) return {};
  return in_context(caller, [&](Context& context, const LibraryLock& lock) {
    return carry_out(caller.routine, move, view_of(move, context), context, lock);
  });
}

}  // namespace xredist::core
