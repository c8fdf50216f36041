// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that execute plans.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/everywhere.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_handle.hpp"
#include "api/same_call.hpp"
#include "exchange/channels.hpp"
#include "exchange/local_copy.hpp"
#include "plan/consume.hpp"
#include "report/report.hpp"

namespace xredist::core {

/// What the local arrays of plans of arrays refer to: the plans' own places, and those of jobs that pass strides.
using Places = std::vector<std::shared_ptr<const void>>;

}  // namespace xredist::core

struct xredist_request {
  int members;
  std::vector<std::shared_ptr<const xredist::core::Plans>> plans;  // the program may destroy its handles
  std::shared_ptr<xredist::core::Exchange> exchange;               // nullptr if this process takes no part
  xredist::core::Places places{};                                  // of the local arrays of plans of arrays
};

using namespace xredist::core;

namespace {

Index lda_of(const xredist_job& job) { return job.lda != 0 ? job.lda : job.plan->lda; }
Index ldb_of(const xredist_job& job) { return job.ldb != 0 ? job.ldb : job.plan->ldb; }

// Throws InvalidArgument. `member`: "jobs[3]." in a batch.
[[noreturn]] void fail(const std::string& member, const std::string& reason) { throw InvalidArgument(member + reason); }

// Checks one of the arrays of a job. `named` returns the member. `ld`: in elements.
template <class Named>
void demand_array(const Named& named, char name, const LocalPart& part, const void* data, Index ld) {
  if (!part.accessed) return;
  if (data == nullptr) fail(named(), std::string(1, name) + " is NULL on a process that holds a part of it");
  const auto rule = [&](const char* bound, Index limit) {
    return std::string("ld") + name + " is " + std::to_string(ld) + ", must be at " + bound + std::to_string(limit);
  };
  if (ld < part.rows.end)
    fail(named(), rule("least ", part.rows.end) + ", the local rows up to the end of the submatrix");
  if (ld > max_elements) fail(named(), rule("most ", max_elements));
}

// Returns whether no two elements of the subarray A share memory, and none is sent more than once.
bool are_distinct(const PlannedArray& array, const std::int64_t strides[]) {
  if (array.copied) return false;
  if (strides == nullptr) return true;
  const ArrayPart& local = array.a;
  std::vector<std::size_t> order(local.held.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return strides[k]; });
  Wide reach = 0;
  for (const std::size_t k : order) {
    const Index others = local.held[k].length() - 1;
    if (others > 0 && strides[k] <= reach) return false;
    reach += Wide{others} * strides[k];
  }
  return true;
}

// Checks the strides of a local array that has elements of the subarray, each of `bytes` bytes. Of B, no two elements
// may share memory. Allocates nothing, because no process would tell the others about a failure here.
template <class Named>
void demand_strides(const Named& named, char name, const ArrayPart& local, const std::int64_t strides[], Index bytes) {
  std::array<std::size_t, XREDIST_MAX_DIMS> axes{};
  const std::span order(axes.data(), local.held.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rule = [&](std::size_t k, const char* reason) {
    fail(named(),
         std::string("strides_") + name + "[" + std::to_string(k) + "] is " + std::to_string(strides[k]) + reason);
  };
  for (const std::size_t k : order)
    if (strides[k] < 0 || strides[k] > max_elements) rule(k, ", must be in 0 .. 2^40");
  std::ranges::sort(order, {}, [&](std::size_t k) { return strides[k]; });
  // Along the axes so far: from the first element of the subarray to the last one, and from the begin of the array.
  Wide reach = 0, end = 0;
  for (const std::size_t k : order) {
    const Interval& held = local.held[k];
    if (name == 'b' && held.length() > 1 && strides[k] <= reach) rule(k, ": elements of B would share memory");
    reach += Wide{held.length() - 1} * strides[k];
    end += Wide{held.end - 1} * strides[k];
    if (end >= std::numeric_limits<Index>::max() / bytes) rule(k, ": the local array would have 2^63 bytes or more");
  }
}

// Checks one of the arrays of a job of a plan of arrays.
template <class Named>
void demand_local_array(const Named& named, char name, const ArrayPart& local, const void* data, Index ld,
                        const std::int64_t strides[], bool accessed, Index bytes) {
  if (ld != 0)
    fail(named(), std::string("ld") + name + " is " + std::to_string(ld) + ", must be 0: the plan is of arrays");
  if (!accessed) return;
  if (data == nullptr) fail(named(), std::string(1, name) + " is NULL on a process that holds a part of it");
  if (strides != nullptr) demand_strides(named, name, local, strides, bytes);
}

// Adds the time of its life to the report of XREDIST_REPORT, in the row of a batch's first plan.
class Reported {
 public:
  /// channel: nullptr if the exchange has ended, or if there is none.
  explicit Reported(const Channel* channel)
      : start_(channel != nullptr && channel->rank() == 0 && channel->options().report != 0 ? MPI_Wtime() : -1) {}
  explicit Reported(const xredist_request& waited) : Reported(waited.exchange ? waited.exchange->channel() : nullptr) {
    request_ = &waited;
  }
  Reported(const Reported&) = delete;
  Reported& operator=(const Reported&) = delete;
  ~Reported() {
    if (start_ >= 0 && request_ != nullptr)
      report("plan", request_->plans.front()->front().redistribution, calls_, MPI_Wtime() - start_);
  }
  /// Counts the batch, which has begun.
  void count(const xredist_request& begun) { request_ = &begun, calls_ = 1; }

 private:
  double start_;
  Index calls_ = 0;
  const xredist_request* request_ = nullptr;
};

void demand_jobs(std::span<const xredist_job> jobs) {
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const xredist_job& job = jobs[i];
    const auto named = [&] { return jobs.size() == 1 ? std::string() : "jobs[" + std::to_string(i) + "]."; };
    if (job.plan == nullptr) fail(named(), "plan is NULL");
    if (!job.plan->usable()) fail(named(), "plan: its communicator has been freed");
    if (&job.plan->channel != &jobs[0].plan->channel) fail(named(), "plan has another communicator than jobs[0].plan");
    if (job.consume != 0 && job.consume != 1)
      fail(named(), "consume is " + std::to_string(job.consume) + ", must be 0 or 1");
    if (!are_zero(job.reserved)) fail(named(), "reserved" + reserved_error({"reserved"}, job.reserved)->reason);
    if ((job.alpha != nullptr || job.beta != nullptr) && type_of_b(*job.plan) == Type::bits)
      fail(named(), std::string(job.alpha != nullptr ? "alpha" : "beta") + ": the plan has no type");
    if (const PlannedArray* form = job.plan->form.get()) {
      const Plan& plan = job.plan->parts->front();
      const Redistribution& moved = plan.redistribution;
      demand_local_array(named, 'a', form->a, job.a, job.lda, job.strides_a, plan.a.accessed, moved.element_bytes_a());
      demand_local_array(named, 'b', form->b, job.b, job.ldb, job.strides_b, plan.b.accessed, moved.element_bytes_b());
      continue;
    }
    if (job.strides_a != nullptr || job.strides_b != nullptr)
      fail(named(),
           std::string("strides_") + (job.strides_a != nullptr ? 'a' : 'b') + " is not NULL: the plan is of matrices");
    for (const Plan& plan : *job.plan->parts) {
      demand_array(named, 'a', plan.a, job.a, lda_of(job));
      demand_array(named, 'b', plan.b, job.b, ldb_of(job));
    }
  }
}

Scalars scalars_of(const xredist_job& job) {
  const Type type = type_of_b(*job.plan);
  Scalars scalars;
  if (job.alpha != nullptr) scalars.alpha = scalar_from(type, job.alpha);
  if (job.beta != nullptr) scalars.beta = scalar_from(type, job.beta);
  return scalars;
}

// Returns the places of the elements of a local array; nullptr outside the grid. `strides`: of the job, or nullptr.
const ArrayStrides* places_of(const xredist_job& job, const Axis ArrayAxis::*side, const ArrayPart& local,
                              const std::int64_t* strides, Places& places) {
  if (strides == nullptr) return local.places ? &*local.places : nullptr;
  const ArrayForm& form = job.plan->form->form;
  const Redistribution& redistribution = job.plan->parts->front().redistribution;
  auto own =
      std::make_shared<const ArrayStrides>(form.places(side, local.held, {strides, local.held.size()}, redistribution));
  places.push_back(own);
  return own.get();
}

// The local arrays of a job. `places` has their strides.
struct LocalArrays {
  ConstArray a;
  Array b;
};

LocalArrays arrays_of(const xredist_job& job, Places& places) {
  LocalArrays arrays{{static_cast<const std::byte*>(job.a), lda_of(job)},
                     {static_cast<std::byte*>(job.b), ldb_of(job)}};
  if (const auto& form = job.plan->form) {
    places.push_back(form);
    const Plan& plan = job.plan->parts->front();  // on a process without a part, strides are ignored
    const auto strides = [](const LocalPart& part, const std::int64_t* of) { return part.accessed ? of : nullptr; };
    arrays.a.strides = places_of(job, &ArrayAxis::a, form->a, strides(plan.a, job.strides_a), places);
    arrays.b.strides = places_of(job, &ArrayAxis::b, form->b, strides(plan.b, job.strides_b), places);
  }
  return arrays;
}

// Has a job consume A. `distinct`: each element of A leaves its own memory, once. If one process holds all data, and A
// and B overlap, all of A is read before B is written, and its pages stay.
void consume(Job& job, bool distinct) {
  const Plan& plan = *job.plan;
  const bool overlap = overlap_in_memory(plan, job.a, job.b);
  if (overlap && plan.peers.empty()) return;
  job.panels = panels_to_consume(plan);
  job.consumes = !overlap && distinct && plan.redistribution.whole();
}

// Adds the execution of a job by these plans, as a member of a batch.
void add_member(std::vector<Job>& all, const xredist_job& job, std::span<const Plan> plans, int member,
                Places& places) {
  const auto [a, b] = arrays_of(job, places);
  for (const Plan& plan : plans) all.push_back({&plan, a, b, scalars_of(job), member});
  if (job.consume != 0 && plans.size() == 1)
    consume(all.back(), job.plan->form == nullptr || are_distinct(*job.plan->form, job.strides_a));
}

// Starts the exchange of a batch.
std::unique_ptr<xredist_request> started(std::span<const xredist_job> jobs, Channel& channel, const LibraryLock& lock) {
  std::unique_ptr<xredist_request> made(new xredist_request{static_cast<int>(jobs.size()), {}, nullptr, {}});
  std::vector<Job> all;
  for (int member = 0; member < made->members; ++member) {
    const xredist_job& job = jobs[as_size(member)];
    made->plans.push_back(job.plan->parts);
    add_member(all, job, *job.plan->parts, member, made->places);
  }
  made->exchange = lock->queue.start(all, channel, lock->lane());
  return made;
}

// Returns whether MPI has been finalized, which has completed all exchanges. Throws the error of a failed exchange.
bool ended_by_finalize(const xredist_request& request) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 && request.exchange) request.exchange->check();
  return finalized != 0;
}

}  // namespace

void xredist::core::start_batch(std::span<const xredist_job> jobs, xredist_request** request) {
  const InCall call("xredist_start");
  demand_jobs(jobs);
  LibraryLock lock;
  Channel& channel = jobs[0].plan->channel;
  channel.state_call();
  Reported reported(&channel);
  std::unique_ptr<xredist_request> made;
  try {
    made = started(jobs, channel, lock);
  } catch (...) {
    withdraw_batch(jobs.size(), channel, [&](std::size_t i) -> const Plans& { return *jobs[i].plan->parts; });
    throw;
  }
  if (made->exchange && made->exchange->failed()) made->exchange->check();  // when it began
  reported.count(*made);
  *request = made.release();
}

int xredist_start(int count, const xredist_job jobs[], xredist_request** request) {
  return coded([&] {
    if (request != nullptr) *request = nullptr;
    if (count < 1) throw InvalidArgument("count is " + std::to_string(count) + ", must be at least 1");
    demand(first_of({null_error({"jobs"}, jobs), null_error({"request"}, request)}));
    start_batch({jobs, static_cast<std::size_t>(count)}, request);
  });
}

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

void xredist::core::wait_for_batch(xredist_request** request) {
  const InCall call("xredist_wait");
  demand(null_error({"request"}, request));
  if (*request == nullptr) return;
  const std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
  if (ended_by_finalize(*held)) return;
  LibraryLock lock;
  const Reported reported(*held);
  if (held->exchange) lock->queue.wait(*held->exchange, lock->progress);
}

void xredist::core::execute_job(const xredist_job& job) {
  const InCall call("xredist_execute");
  xredist_request* request = nullptr;
  start_batch({&job, 1}, &request);
  wait_for_batch(&request);
}

int xredist_execute(const xredist_job* job) {
  return coded([&] {
    demand(null_error({"job"}, job));
    execute_job(*job);
  });
}

// A failed exchange has ended, too, so the request is freed.
int xredist_test(xredist_request** request, int* done) {
  return coded([&] {
    demand(first_of({null_error({"request"}, request), null_error({"done"}, done)}));
    *done = 1;
    if (*request == nullptr) return;
    std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
    if (ended_by_finalize(*held)) return;
    LibraryLock lock;
    if (!held->exchange || lock->queue.test(*held->exchange)) return;
    *done = 0;
    *request = held.release();
  });
}

int xredist_wait(xredist_request** request) {
  return coded([&] { wait_for_batch(request); });
}

void xredist::core::demand_member(const xredist_request* request, Index member, Index first) {
  const Index last = first + (request != nullptr ? request->members : 1) - 1;
  if (member < first || (request != nullptr && member > last))
    throw InvalidArgument("member is " + std::to_string(member) + ", must be in " + std::to_string(first) + " .. " +
                          std::to_string(last) + ", the jobs of the batch");
}

// The request of a failed exchange keeps its error.
bool xredist::core::test_member(xredist_request* request, int member) {
  if (request == nullptr || !request->exchange || ended_by_finalize(*request)) return true;
  LibraryLock lock;
  return lock->queue.test(*request->exchange, member);
}

void xredist::core::wait_for_member(xredist_request* request, int member) {
  const InCall call("xredist_wait_member");
  if (request == nullptr || !request->exchange || ended_by_finalize(*request)) return;
  LibraryLock lock;
  const Reported reported(*request);
  lock->queue.wait(*request->exchange, lock->progress, member);
}

int xredist_test_member(xredist_request* request, int member, int* done) {
  return coded([&] {
    demand_member(request, member, 0);
    demand(null_error({"done"}, done));
    *done = 1;
    *done = test_member(request, member) ? 1 : 0;
  });
}

int xredist_wait_member(xredist_request* request, int member) {
  return coded([&] {
    demand_member(request, member, 0);
    wait_for_member(request, member);
  });
}
