// SPDX-License-Identifier: BSD-3-Clause
// A call: the processes agree on the arguments, plan, and exchange.
#include <exception>
#include <functional>
#include <utility>

#include "api/everywhere.hpp"
#include "api/matrix_operation.hpp"
#include "api/tuning.hpp"
#include "exchange/channels.hpp"
#include "plan/memory_overlap.hpp"
#include "report/report.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/move.hpp"
#include "scalapack/named_call.hpp"
#include "scalapack/stated.hpp"
#include "settings/decimals.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

// Returns the error of an array that this process accesses.
MaybeError array_error(const ArgumentRef& argument, const void* data, const LocalPart& part) {
  if (!part.accessed || data != nullptr) return {};
  return ArgumentError{argument, " is NULL on a process that holds a part of it"};
}

// The number of executions that are expected of a plan: the program did not ask for one.
constexpr double executions_of_call = 1;

PlanSource source_of(const Routine& routine, const KnownPlan& known, const Context& context) {
  return plan_source(routine, context, known.agreed, known.options, executions_of_call);
}

// Gives a known call its plan. Plans of other calls may be dropped.
void set_plan(KnownPlan& known, Plans parts, Context& context) {
  context.plans.set_plan(known, std::move(parts));
  context.plans.drop_plans_beyond(context.channel().options().plans);
}

// Makes the plan for these values, and remembers both.
KnownPlan& add_plan(const Routine& routine, const MatrixMove& move, const Values& agreed, Context& context) {
  const Options& options = context.channel().options();
  Plan plan = plan_call(move, context, agreed, plan_source(routine, context, agreed, options, executions_of_call));
  KnownPlan& known = context.plans.add(agreed, std::move(plan), options.cache);
  known.options = options;
  context.plans.drop_plans_beyond(options.plans);
  return known;
}

// Makes a dropped plan again.
void restore_plan(const Routine& routine, const MatrixMove& move, KnownPlan& known, Context& context) {
  Plans parts;
  parts.push_back(plan_call(move, context, known.agreed, source_of(routine, known, context)));
  set_plan(known, std::move(parts), context);
}

Job job_of(const Plan& plan, const MatrixMove& move) {
  return {&plan,
          {static_cast<const std::byte*>(move.a), plan.a.accessed ? move.matrices[0].desc[lld_] : 0},
          {static_cast<std::byte*>(move.b), plan.b.accessed ? move.matrices[1].desc[lld_] : 0},
          move.scalars};
}

void execute(const Plan& plan, const MatrixMove& move, Channel& channel, const LibraryLock& lock) {
  const Job job = job_of(plan, move);
  Queue& queue = lock->queue;
  if (const auto exchange = queue.start({&job, 1}, channel, lock->lane())) queue.wait(*exchange, lock->progress);
}

// Returns whether repeated executions leave the same B, on all processes alike: none reads B, or changes A. Collective.
bool is_repeatable(const Plan& plan, const MatrixMove& move, const Channel& channel, Progress& progress) {
  const Job job = job_of(plan, move);
  int repeatable = move.scalars.beta == 0.0 && !overlap_in_memory(plan, job.a, job.b) ? 1 : 0;
  reduce(&repeatable, 1, MPI_INT, MPI_MIN, channel.comm(), progress);
  return repeatable != 0;
}

// Measures the ways of a plan, which leaves B as one execution does, and keeps the fastest one. Collective over the
// context. On its channel no process tells others that an execution has failed, so a failure ends the program.
void execute_and_tune(const Caller& caller, const MatrixMove& move, KnownPlan& known, Context& context,
                      const LibraryLock& lock) {
  Channel& channel = context.channel();
  known.tuned = true;
  const Plan& plan = known.parts.front();
  if (!is_repeatable(plan, move, channel, lock->progress)) return execute(plan, move, channel, lock);
  PlannedWays ways = everywhere(
      [&] { return planned_ways(source_of(caller.routine, known, context), known.parts, channel, lock->queue); },
      channel.comm(), lock->progress);
  const auto execute_by = [&](std::span<const Plan> plans) {
    try {
      execute(plans.front(), move, channel, lock);
    } catch (const std::exception& error) {
      fail(caller, error);
    }
  };
  Tuned tuned = tune(caller.routine.name, std::move(ways), channel, lock->progress, std::ref(execute_by));
  if (!tuned.plans) return;
  known.options = tuned.plans->options;
  set_plan(known, std::move(tuned.plans->parts), context);
}

void log_speed(const Routine& routine, const MatrixMove& move, double seconds) {
  const double bytes = static_cast<double>(move.m * move.n * move.bytes);
  write_log("%s moved %lld x %lld elements in %s s, %s GB/s", routine.name, static_cast<long long>(move.m),
            static_cast<long long>(move.n), with_decimals(seconds, 6).c_str(),
            with_digits(1e-9 * bytes / seconds, 3).c_str());
}

// Carries out a call of which this process has checked the arguments.
void carry_out(const Caller& caller, const Question& question, const MatrixMove& move, const View& view,
               Context& context, const LibraryLock& lock) {
  const Routine& routine = caller.routine;
  Channel& channel = context.channel();
  const bool reported = channel.rank() == 0 && channel.options().report != 0;
  const bool logged = channel.rank() == 0 && channel.options().verbose >= 2;
  const double called = reported ? MPI_Wtime() : 0;
  const Values agreed = agree(question, view, context.rosters, channel, lock->progress);
  context.explore_for(move.m * move.n * move.bytes, lock->progress);
  KnownPlan* known = context.plans.find(agreed);
  const bool tunes = known != nullptr && channel.options().tune != 0 && !known->tuned && channel.explored();
  if (known == nullptr)
    known = &add_plan(routine, move, agreed, context);
  else if (known->parts.empty())
    restore_plan(routine, move, *known, context);
  demand(routine, array_error({"A"}, move.a, known->parts.front().a));
  demand(routine, array_error({"B"}, move.b, known->parts.front().b));

  const double start = logged ? MPI_Wtime() : 0;
  if (tunes)
    execute_and_tune(caller, move, *known, context, lock);
  else
    execute(known->parts.front(), move, channel, lock);
  if (reported) report(routine.name, known->parts.front().redistribution, 1, MPI_Wtime() - called);
  if (logged) log_speed(routine, move, MPI_Wtime() - start);
}

}  // namespace

void redistribute(const Caller& caller, const MatrixMove& move, Arguments arguments) {
  const InCall call(caller.routine.name, size_in(caller.ctxt, move.m, move.n));
  if (move.m == 0 || move.n == 0) return;
  LibraryLock lock;
  Context& context = context_of(communicator_of(caller), lock);
  const Question question = question_of(caller.routine, move);
  const View view = view_of(question, context.rosters);
  const bool known = arguments == Arguments::checked || context.is_known(view.passed);
  if (!known) demand(caller.routine, arguments_error(caller.routine, move, view.grids[0].grid, view.grids[1].grid));
  context.count_call(view);
  carry_out(caller, question, move, view, context, lock);
  if (!known) context.remember(view.passed);
}

void move(const NamedCall& call) {
  const std::optional<Triangle>& triangle = call.triangle;
  const Routine routine{call.name, arguments_of(triangle.has_value()), redistribution_fields};
  const Caller caller{routine, call.ctxt};
  try {
    redistribute(
        caller, {.m = call.m,
                 .n = call.n,
                 .matrices = {{{Which::a, call.desca, {call.ia, call.ja}}, {Which::b, call.descb, {call.ib, call.jb}}}},
                 .a = call.a,
                 .b = call.b,
                 .region = triangle ? trapezoid(triangle->uplo, triangle->diag, call.m, call.n) : Region{},
                 .bytes = call.bytes,
                 .elements = call.bytes});
  } catch (const std::exception& error) {
    fail(caller, error);
  }
}

}  // namespace xredist::core
