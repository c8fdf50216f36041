// SPDX-License-Identifier: BSD-3-Clause
#include "api/checked_jobs.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_handle.hpp"
#include "exchange/local_copy.hpp"
#include "plan/consume.hpp"

namespace xredist::core {
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

// Has a job consume A. `distinct`: each element of A leaves its own memory, once. If one process holds all data, and A
// and B overlap, all of A is read before B is written, and its pages stay.
void consume(Job& job, bool distinct) {
  const Plan& plan = *job.plan;
  const bool overlap = overlap_in_memory(plan, job.a, job.b);
  if (overlap && plan.peers.empty()) return;
  job.panels = panels_to_consume(plan);
  job.consumes = !overlap && distinct && plan.redistribution.whole();
}

}  // namespace

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

void add_member(std::vector<Job>& all, const xredist_job& job, std::span<const Plan> plans, int member,
                Places& places) {
  const auto [a, b] = arrays_of(job, places);
  for (const Plan& plan : plans) all.push_back({&plan, a, b, scalars_of(job), member});
  if (job.consume != 0 && plans.size() == 1)
    consume(all.back(), job.plan->form == nullptr || are_distinct(*job.plan->form, job.strides_a));
}

}  // namespace xredist::core
