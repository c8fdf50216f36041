// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that execute plans.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/operation.hpp"
#include "api/plan.hpp"
#include "exchange/channels.hpp"
#include "report/report.hpp"

struct xredist_request {
  int members;
  std::vector<xredist::core::SharedPlans> plans;      // the program may destroy its handles
  std::shared_ptr<xredist::core::Exchange> exchange;  // nullptr if this process takes no part
  xredist::core::Execution execution;                 // of the only job, if its plan is tuned
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
    if ((job.alpha != nullptr || job.beta != nullptr) && type_of_b(*job.plan) == Type::bits)
      fail(named(), std::string(job.alpha != nullptr ? "alpha" : "beta") + ": the plan has no type");
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

// Starts the exchange of a batch. `execution`: of the only job, if its plan is tuned.
std::unique_ptr<xredist_request> started(std::span<const xredist_job> jobs, const Execution& execution,
                                         Channel& channel, const LibraryLock& lock) {
  std::unique_ptr<xredist_request> made(new xredist_request{static_cast<int>(jobs.size()), {}, nullptr, {}});
  std::vector<Job> all;
  for (int member = 0; member < made->members; ++member) {
    const xredist_job& job = jobs[as_size(member)];
    made->plans.push_back(execution.parts ? execution.parts : job.plan->parts);
    const ConstArray a{static_cast<const std::byte*>(job.a), lda_of(job)};
    const Array b{static_cast<std::byte*>(job.b), ldb_of(job)};
    for (const Plan& plan : *made->plans.back()) all.push_back({&plan, a, b, scalars_of(job), member});
  }
  made->exchange = lock->queue.start(all, channel, lock->lane());
  return made;
}

// Waits for an exchange or a member, and for the agreement that the execution has started: until then other processes
// may need this one, also if the exchange has failed.
void wait_for(const xredist_request& request, const LibraryLock& lock, int member = Queue::all) {
  const auto agree = [&] { lock->queue.advance_until([&] { return request.execution.agreed(); }, lock->progress); };
  try {
    if (request.exchange) lock->queue.wait(*request.exchange, lock->progress, member);
  } catch (...) {
    agree();
    throw;
  }
  agree();
}

// Tests for the same. The error of a failed exchange is thrown when the agreement has ended.
bool test(const xredist_request& request, const LibraryLock& lock, int member = Queue::all) {
  try {
    if (request.exchange && !lock->queue.test(*request.exchange, member)) return false;
  } catch (...) {
    if (request.execution.agreed()) throw;
  }
  if (!request.execution.agreed()) lock->queue.advance();
  if (!request.execution.agreed()) return false;
  if (request.exchange) request.exchange->check();
  return true;
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
  demand_jobs(jobs);
  LibraryLock lock;
  Channel& channel = jobs[0].plan->channel;
  Reported reported(&channel);
  Execution execution;  // of the only job, if its plan is tuned
  std::unique_ptr<xredist_request> made;
  try {
    if (jobs.size() == 1 && jobs[0].plan->tuning) execution = jobs[0].plan->tuning->next(lock);
    made = started(jobs, execution, channel, lock);
  } catch (...) {
    withdraw_batch(jobs.size(), channel, [&](std::size_t i) -> const Plans& {
      return execution.parts ? *execution.parts : *jobs[i].plan->parts;
    });
    execution.refuse();
    throw;
  }
  if (made->exchange && made->exchange->failed()) {  // when it began
    execution.refuse();
    made->exchange->check();
  }
  execution.start_agreement();
  if (!made->exchange) execution.end();
  made->execution = std::move(execution);
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

void xredist::core::wait_for_batch(xredist_request** request) {
  demand(null_error({"request"}, request));
  if (*request == nullptr) return;
  const std::unique_ptr<xredist_request> held(std::exchange(*request, nullptr));
  if (ended_by_finalize(*held)) return;
  LibraryLock lock;
  const Reported reported(*held);
  wait_for(*held, lock);
  held->execution.end();
}

void xredist::core::execute_job(const xredist_job& job) {
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
    if (test(*held, lock)) return held->execution.end();
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
  return test(*request, lock, member);
}

void xredist::core::wait_for_member(xredist_request* request, int member) {
  if (request == nullptr || !request->exchange || ended_by_finalize(*request)) return;
  LibraryLock lock;
  const Reported reported(*request);
  wait_for(*request, lock, member);
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
