// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that execute plans.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.hpp"
#include "api/checked_jobs.hpp"
#include "api/failure.hpp"
#include "api/plan_calls.hpp"
#include "api/plan_handle.hpp"
#include "exchange/library.hpp"
#include "report/report.hpp"
#include "watch/watched.hpp"

struct xredist_request {
  int members;
  std::vector<std::shared_ptr<const xredist::core::Plans>> plans;  // the program may destroy its handles
  std::shared_ptr<xredist::core::Exchange> exchange;               // nullptr if this process takes no part
  xredist::core::Places places{};                                  // of the local arrays of plans of arrays
};

using namespace xredist::core;

namespace {

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
    if (count < 1) throw InvalidArgument(Text() << "count is " << count << ", must be at least 1");
    demand(first_of({null_error({"jobs"}, jobs), null_error({"request"}, request)}));
    start_batch({jobs, static_cast<std::size_t>(count)}, request);
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
    throw InvalidArgument(Text() << "member is " << member << ", must be in " << first << " .. " << last
                                 << ", the jobs of the batch");
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
