// SPDX-License-Identifier: BSD-3-Clause
// The function of xredist.h that tunes a plan.
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/checked_jobs.hpp"
#include "api/compare.hpp"
#include "api/everywhere.hpp"
#include "api/failure.hpp"
#include "api/plan_calls.hpp"
#include "api/plan_handle.hpp"
#include "exchange/library.hpp"
#include "plan/memory_overlap.hpp"
#include "report/report.hpp"
#include "watch/watched.hpp"

using namespace xredist::core;

namespace {

// Checks that executions of a job after the first one leave the same B.
void demand_repeatable(const xredist_job& job) {
  if (scalars_of(job).beta != 0.0)
    throw InvalidArgument(
        "beta is not 0: a plan that is tuned is executed several times, and B would be added to itself");
  if (job.consume != 0)
    throw InvalidArgument("consume is 1: a plan that is tuned is executed several times, from the same A");
  Places places;
  const auto [a, b] = arrays_of(job, places);
  for (const Plan& plan : *job.plan->parts)
    if (overlap_in_memory(plan, a, b))
      throw InvalidArgument(
          "a and b overlap in memory: a plan that is tuned is executed several times, from the same A");
}

// Executes a job by other plans than its own. Throws if the exchange fails on this process.
void execute_by(std::span<const Plan> plans, const xredist_job& job, const LibraryLock& lock) {
  Channel& channel = job.plan->channel;
  std::shared_ptr<Exchange> exchange;
  Places places;
  try {
    std::vector<Job> all;
    add_member(all, job, plans, 0, places);
    exchange = lock->queue.start(all, channel, lock->lane());
  } catch (...) {
    withdraw_batch(1, channel, [&](std::size_t) { return plans; });
    throw;
  }
  if (exchange) lock->queue.wait(*exchange, lock->progress);
}

}  // namespace

void xredist::core::tune_plan(xredist_plan* plan, const std::function<xredist_job()>& job_of) {
  const InCall call("xredist_plan_tune");
  demand(null_error({"plan"}, plan));
  if (!plan->usable()) throw InvalidArgument("plan: its communicator has been freed");
  LibraryLock lock;
  Channel& channel = plan->channel;
  const double start = MPI_Wtime();
  xredist_job job{};
  PlannedWays ways;
  std::shared_ptr<Plans> parts;
  const auto prepare = [&] {
    job = job_of();
    if (job.plan != nullptr && job.plan != plan) throw InvalidArgument("job.plan is another plan");
    job.plan = plan;
    demand_jobs({&job, 1});
    demand_repeatable(job);
    parts = std::make_shared<Plans>();
    ways = planned_ways(plan->source, *plan->parts, channel, lock->queue);
  };
  if (channel.options().check != Options::Check::local)
    demand_same_function("xredist_plan_tune", channel.comm(), lock->progress);
  everywhere(prepare, channel.comm(), lock->progress);
  const auto execute = [&](std::span<const Plan> plans) { execute_by(plans, job, lock); };
  Tuned tuned = tune(plan->source.routine, std::move(ways), channel, lock->progress, std::ref(execute));
  if (tuned.plans) {
    *parts = std::move(tuned.plans->parts);
    plan->parts = std::move(parts);
    plan->way = std::move(tuned.way);
  }
  if (channel.rank() == 0 && channel.options().report)
    report("plan", plan->parts->front().redistribution, 1, MPI_Wtime() - start);
}

int xredist_plan_tune(xredist_plan* plan, const xredist_job* job) {
  return coded([&] {
    const auto job_of = [&] {
      if (job != nullptr) return *job;
      throw InvalidArgument("job is NULL: this process has no valid arguments");
    };
    tune_plan(plan, std::ref(job_of));
  });
}
