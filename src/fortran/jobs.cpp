// SPDX-License-Identifier: BSD-3-Clause
// The routines of module xredist that take local arrays and scalars. The library compares their element size, shape and
// strides with the plan before anything moves, and the compiler makes no copy.
#include <algorithm>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/plan_calls.hpp"
#include "api/plan_handle.hpp"
#include "exchange/channels.hpp"
#include "fortran/array_fit.hpp"
#include "fortran/arrays.hpp"
#include "fortran/info.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {

/// A job. Module xredist declares the same struct as xredist_job.
struct FortranJob {
  const xredist_plan* plan;
  FortranArray a, b;
  FortranScalar alpha, beta;
};
static_assert(std::is_trivially_copyable_v<FortranJob> && sizeof(FortranJob) == 8 + 2 * 304 + 2 * 24);

namespace {

FortranJob job_of(const xredist_plan* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b, const CFI_cdesc_t* alpha,
                  const CFI_cdesc_t* beta) {
  return {plan, array_of(a), array_of(b), scalar_of(alpha), scalar_of(beta)};
}

// Returns whether a job depends on the types of the elements, and not only on their size.
bool computes(const FortranJob& job) {
  const Operation& operation = job.plan->parts->front().redistribution.operation;
  return operation.a != operation.b || operation.conjugated || job.alpha.present != 0 || job.beta.present != 0;
}

// What a job accesses of one of its arrays.
struct Side {
  const ArrayPart& local;
  Index bytes;
  Type type;
};

Side side_a(const FortranJob& job) {
  const Redistribution& moved = job.plan->parts->front().redistribution;
  return {job.plan->a, moved.element_bytes_a(), moved.operation.a};
}

Side side_b(const FortranJob& job) {
  const Redistribution& moved = job.plan->parts->front().redistribution;
  return {job.plan->b, moved.element_bytes_b(), moved.operation.b};
}

// Returns why an array of a job does not fit its plan, or an empty text.
Text mismatch(const FortranJob& job, const FortranArray& array, const Side& side) {
  const auto& [local, bytes, of_plan] = side;
  if (!local.accessed) return {};
  const Type type = computes(job) ? of_plan : Type::bits;
  if (job.plan->form) return mismatch(array, local, bytes, type);
  const LocalAxis &rows = local.axes[0], &cols = local.axes[1];
  return mismatch(array, AccessedPart{bytes, rows.held.end, cols.held.end, rows.extent, type});
}

// Throws InvalidArgument if an argument of a job does not fit its plan. `member`: "jobs(3): " in a batch.
void demand_fit(const FortranJob& job, const Text& member) {
  const auto demand = [&](const char* name, const Text& reason) {
    if (!reason.empty()) throw InvalidArgument(Text() << member << name << reason);
  };
  if (job.plan == nullptr) demand("plan", " is not a plan");
  if (!job.plan->usable()) demand("plan", ": its context or communicator has been freed");
  const auto demand_array = [&](const char* name, const Text& reason) {
    if (!reason.empty())
      throw InvalidArgument(Text() << "process " << job.plan->channel.rank() << ": " << member << name << " "
                                   << reason);
  };
  demand_array("a", mismatch(job, job.a, side_a(job)));
  demand_array("b", mismatch(job, job.b, side_b(job)));
  demand("alpha", mismatch(job.alpha, type_of_b(*job.plan)));
  demand("beta", mismatch(job.beta, type_of_b(*job.plan)));
}

// The strides of a job's arrays in a plan of arrays.
struct JobStrides {
  AxisStrides a, b;
};

// Returns a job that fits its plan as a job of the C interface, which refers to `strides`.
xredist_job plain(const FortranJob& job, JobStrides& strides) {
  xredist_job result{.plan = job.plan,
                     .a = job.a.address,
                     .b = job.b.address,
                     .alpha = job.alpha.present != 0 ? job.alpha.value : nullptr,
                     .beta = job.beta.present != 0 ? job.beta.value : nullptr};
  if (job.plan->form) {
    const ArrayPart &a = job.plan->a, &b = job.plan->b;
    if (a.accessed && has_own_strides(job.a, a, strides.a)) result.strides_a = strides.a.data();
    if (b.accessed && has_own_strides(job.b, b, strides.b)) result.strides_b = strides.b.data();
    return result;
  }
  if (job.a.storage == Storage::columns) result.lda = job.a.ld;
  if (job.b.storage == Storage::columns) result.ldb = job.b.ld;
  return result;
}

void start(std::span<const FortranJob> jobs, xredist_request** request) {
  *request = nullptr;
  if (jobs.empty()) throw InvalidArgument("jobs is empty");
  for (std::size_t i = 0; i < jobs.size(); ++i)
    demand_fit(jobs[i], jobs.size() == 1 ? Text() : Text() << "jobs(" << i + 1 << "): ");
  if (jobs.size() == 1) {
    JobStrides strides;
    const xredist_job job = plain(jobs[0], strides);
    return start_batch({&job, 1}, request);
  }
  std::vector<xredist_job> plain_jobs;
  std::vector<JobStrides> strides;
  try {
    plain_jobs.resize(jobs.size());
    strides.resize(jobs.size());
  } catch (const std::bad_alloc&) {
    LibraryLock lock;
    withdraw_batch(jobs.size(), jobs[0].plan->channel,
                   [&](std::size_t i) -> const Plans& { return *jobs[i].plan->parts; });
    throw;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) plain_jobs[i] = plain(jobs[i], strides[i]);
  start_batch(plain_jobs, request);
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_execute(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                         XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta,
                                         xredist_int* info) {
  xredist_request* request = nullptr;
  const int code = coded([&] {
    const FortranJob job = job_of(*plan, a, b, alpha, beta);
    start({&job, 1}, &request);
    wait_for_batch(&request);
  });
  set_info("XREDIST_EXECUTE", code, info);
}

XREDIST_API void xredist_fortran_move(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                      XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta,
                                      xredist_int* info) {
  const int code = coded([&] {
    const FortranJob job = job_of(*plan, a, b, alpha, beta);
    demand_fit(job, "");
    JobStrides strides;
    xredist_job consuming = plain(job, strides);
    consuming.consume = 1;
    execute_job(consuming);
  });
  set_info("XREDIST_MOVE", code, info);
}

XREDIST_API void xredist_fortran_plan_tune(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                           XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha, xredist_int* info) {
  const int code = coded([&] {
    if (*plan == nullptr) throw InvalidArgument("plan is not a plan");
    FortranJob job{};  // has the value of alpha
    JobStrides strides;
    const auto plain_job = [&] {
      job = job_of(*plan, a, b, alpha, nullptr);
      demand_fit(job, "");
      return plain(job, strides);
    };
    tune_plan(*plan, std::ref(plain_job));
  });
  set_info("XREDIST_PLAN_TUNE", code, info, true);
}

XREDIST_API void xredist_fortran_start(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                       xredist_request** request, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha,
                                       const CFI_cdesc_t* beta, xredist_int* info) {
  const int code = coded([&] {
    const FortranJob job = job_of(*plan, a, b, alpha, beta);
    start({&job, 1}, request);
  });
  set_info("XREDIST_START", code, info);
}

XREDIST_API FortranJob xredist_fortran_job(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                           const CFI_cdesc_t* alpha, const CFI_cdesc_t* beta) {
  return job_of(*plan, a, b, alpha, beta);
}

XREDIST_API void xredist_fortran_start_jobs(const CFI_cdesc_t* jobs, xredist_request** request, xredist_int* info) {
  const std::span all(static_cast<const FortranJob*>(jobs->base_addr), as_size(size_of_vector(*jobs)));
  set_info("XREDIST_START", coded([&] { start(all, request); }), info);
}

}  // extern "C"
