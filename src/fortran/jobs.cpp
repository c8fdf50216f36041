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
#include "api/plan.hpp"
#include "exchange/channels.hpp"
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
static_assert(std::is_trivially_copyable_v<FortranJob> && sizeof(FortranJob) == 8 + 2 * 56 + 2 * 24);

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

// Returns the part of an array that a job accesses. `bytes`, `type`: of the elements.
AccessedPart accessed_part_of(const FortranJob& job, LocalPart Plan::*side, Index bytes, Index ld, Type type) {
  const xredist_plan& plan = *job.plan;
  AccessedPart accessed{.bytes = bytes, .ld = ld, .type = computes(job) ? type : Type::bits};
  for (const Plan& part : *plan.parts) {
    const LocalPart& local = part.*side;
    if (!local.accessed) continue;
    accessed.rows = std::max(accessed.rows, local.rows.end);
    accessed.cols = std::max(accessed.cols, local.cols.end);
  }
  return accessed;
}

AccessedPart accessed_part_of_a(const FortranJob& job) {
  const Redistribution& moved = job.plan->parts->front().redistribution;
  return accessed_part_of(job, &Plan::a, moved.element_bytes_a(), job.plan->lda, moved.operation.a);
}

AccessedPart accessed_part_of_b(const FortranJob& job) {
  const Redistribution& moved = job.plan->parts->front().redistribution;
  return accessed_part_of(job, &Plan::b, moved.element_bytes_b(), job.plan->ldb, moved.operation.b);
}

// Throws InvalidArgument if an argument of a job does not fit its plan. `member`: "jobs(3): " in a batch.
void demand_fit(const FortranJob& job, const std::string& member) {
  const auto demand = [&](const char* name, const std::string& reason) {
    if (!reason.empty()) throw InvalidArgument(member + name + reason);
  };
  if (job.plan == nullptr) demand("plan", " is not a plan");
  if (!job.plan->usable()) demand("plan", ": its context or communicator has been freed");
  const auto demand_array = [&](const char* name, const std::string& reason) {
    if (!reason.empty())
      throw InvalidArgument("process " + std::to_string(job.plan->channel.rank()) + ": " + member + name + " " +
                            reason);
  };
  demand_array("a", mismatch(job.a, accessed_part_of_a(job)));
  demand_array("b", mismatch(job.b, accessed_part_of_b(job)));
  demand("alpha", mismatch(job.alpha, type_of_b(*job.plan)));
  demand("beta", mismatch(job.beta, type_of_b(*job.plan)));
}

xredist_job plain(const FortranJob& job) {
  return {.plan = job.plan,
          .a = job.a.address,
          .lda = job.a.storage == Storage::columns ? job.a.ld : 0,
          .b = job.b.address,
          .ldb = job.b.storage == Storage::columns ? job.b.ld : 0,
          .alpha = job.alpha.present != 0 ? job.alpha.value : nullptr,
          .beta = job.beta.present != 0 ? job.beta.value : nullptr};
}

void start(std::span<const FortranJob> jobs, xredist_request** request) {
  *request = nullptr;
  if (jobs.empty()) throw InvalidArgument("jobs is empty");
  for (std::size_t i = 0; i < jobs.size(); ++i)
    demand_fit(jobs[i], jobs.size() == 1 ? std::string() : "jobs(" + std::to_string(i + 1) + "): ");
  if (jobs.size() == 1) {
    const xredist_job job = plain(jobs[0]);
    return start_batch({&job, 1}, request);
  }
  std::vector<xredist_job> plain_jobs;
  try {
    plain_jobs.resize(jobs.size());
  } catch (const std::bad_alloc&) {
    LibraryLock lock;
    withdraw_batch(jobs.size(), jobs[0].plan->channel,
                   [&](std::size_t i) -> const Plans& { return *jobs[i].plan->parts; });
    throw;
  }
  std::ranges::transform(jobs, plain_jobs.begin(), plain);
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

XREDIST_API void xredist_fortran_plan_tune(xredist_plan* const* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b,
                                           XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* alpha, xredist_int* info) {
  const int code = coded([&] {
    if (*plan == nullptr) throw InvalidArgument("plan is not a plan");
    FortranJob job{};  // has the value of alpha
    const auto plain_job = [&] {
      job = job_of(*plan, a, b, alpha, nullptr);
      demand_fit(job, "");
      return plain(job);
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
