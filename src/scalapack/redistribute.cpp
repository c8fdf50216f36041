// SPDX-License-Identifier: BSD-3-Clause
// A call: the processes agree on the arguments, plan, and exchange.
#include <exception>
#include <string>

#include "api/operation.hpp"
#include "exchange/channels.hpp"
#include "report/report.hpp"
#include "scalapack/call.hpp"
#include "scalapack/context.hpp"
#include "settings/log.hpp"

namespace xredist::core {
namespace {

void run(const Call& call) {
  LibraryLock lock;
  Context& context = context_of(call, lock);
  Channel& channel = context.channel();
  const bool reported = channel.rank() == 0 && channel.options().report != 0;
  const double called = reported ? MPI_Wtime() : 0;
  const Agreement agreed = agree(call, {}, context, lock);
  context.explore_for(call.m * call.n * call.bytes, lock);
  const Plan* plan = context.find_plan(agreed);
  if (plan == nullptr) {
    const Operation operation = call.of_pblas() ? parts_of(call.operation).front().operation : Operation{};
    plan = &context.add_plan(agreed, make_plan(call, context, agreed, {call.region(), operation}));
  }

  const bool from_a = plan->a.accessed, to_b = plan->b.accessed;
  const auto demand = [&](const void* data, const ArgumentRef& argument) {
    if (data == nullptr) fail(call, channel.rank(), {argument, " is NULL on a process that holds a part of it"});
  };
  if (from_a) demand(call.a.data, {"A"});
  if (to_b) demand(call.b.data, {"B"});

  const double start = channel.options().verbose >= 2 ? MPI_Wtime() : 0;
  const Job job{plan,
                {static_cast<const std::byte*>(call.a.data), from_a ? call.a.desc[lld_] : 0},
                {static_cast<std::byte*>(call.b.data), to_b ? call.b.desc[lld_] : 0},
                call.scalars};
  Queue& queue = lock.process().queue;
  if (const auto exchange = queue.start({&job, 1}, channel, lock.lane())) queue.wait(*exchange, lock);
  if (reported) report(call.routine, plan->redistribution, 1, MPI_Wtime() - called);
  if (channel.rank() == 0 && channel.options().verbose >= 2) {
    const double seconds = MPI_Wtime() - start, bytes = static_cast<double>(call.m * call.n * call.bytes);
    write_log("%s moved %lld x %lld elements in %.6f s, %.3g GB/s", call.routine, static_cast<long long>(call.m),
              static_cast<long long>(call.n), seconds, 1e-9 * bytes / seconds);
  }
}

}  // namespace

void redistribute(const Call& call) {
  if (call.m == 0 || call.n == 0) return;
  try {
    run(call);
  } catch (const WrongArgument&) {
    throw;
  } catch (const std::exception& error) {
    fail(call, error);
  }
}

}  // namespace xredist::core
