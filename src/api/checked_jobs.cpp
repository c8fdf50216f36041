// SPDX-License-Identifier: BSD-3-Clause
#include "api/checked_jobs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_handle.hpp"
#include "plan/execution_panels.hpp"
#include "plan/memory_overlap.hpp"

namespace xredist::core {
namespace {

// One of the arrays of a job, and what the plan knows about the array.
struct JobArray {
  char name;
  const void* data;
  Index ld;                     // 0: that of the plan
  const std::int64_t* strides;  // nullptr: those of the plan
  const ArrayPart& local;
  Index (Redistribution::*bytes)() const;  // of an element
  const Axis ArrayAxis::*side;
  std::optional<ArrayStrides> PlannedArray::*places;

  // Returns the strides of an array that is accessed: a process without a part may pass any.
  const std::int64_t* own_strides() const { return local.accessed ? strides : nullptr; }
};

JobArray array_a(const xredist_job& job) {
  return {'a',           job.a,           job.lda, job.strides_a, job.plan->a, &Redistribution::element_bytes_a,
          &ArrayAxis::a, &PlannedArray::a};
}

JobArray array_b(const xredist_job& job) {
  return {'b',           job.b,           job.ldb, job.strides_b, job.plan->b, &Redistribution::element_bytes_b,
          &ArrayAxis::b, &PlannedArray::b};
}

// Throws InvalidArgument. `member`: "jobs[3]." in a batch.
[[noreturn]] void fail(const std::string& member, const std::string& reason) { throw InvalidArgument(member + reason); }

constexpr const char* exceeds_memory_text = ": the local array would have 2^63 bytes or more";

// Checks the leading dimension of a matrix. `named` returns the member.
template <class Named>
void demand_ld(const Named& named, const JobArray& array) {
  const auto rule = [&](const char* bound, Index limit, const char* rest) {
    fail(named(), std::string("ld") + array.name + " is " + std::to_string(array.ld) + ", must be at " + bound +
                      std::to_string(limit) + rest);
  };
  const Index rows = array.local.axes.front().held.end;
  if (array.ld < rows) rule("least ", rows, ", the local rows up to the end of the submatrix");
  if (array.ld <= array.local.max_ld) return;
  if (array.ld > max_elements) rule("most ", max_elements, "");
  fail(named(), std::string("ld") + array.name + " is " + std::to_string(array.ld) + exceeds_memory_text);
}

using Axes = std::array<LocalAxis, XREDIST_MAX_DIMS>;

// Returns the axes of a local array from the least stride to the greatest. Allocates nothing.
std::span<const LocalAxis> by_stride(const JobArray& array, Axes& axes) {
  const auto end = std::ranges::copy(array.local.axes, axes.begin()).out;
  std::ranges::sort(axes.begin(), end, {}, [&](const LocalAxis& axis) { return array.strides[axis.number]; });
  return {axes.begin(), end};
}

// Returns whether no two elements of the subarray A share memory, and none is sent more than once.
bool are_distinct(const JobArray& a, const PlannedArray* form) {
  if (form != nullptr && form->copied) return false;
  if (a.own_strides() == nullptr) return true;
  Axes axes;
  Wide reach = 0;
  for (const auto& [number, held, extent] : by_stride(a, axes)) {
    const Index others = held.length() - 1;
    if (others > 0 && a.strides[number] <= reach) return false;
    reach += Wide{others} * a.strides[number];
  }
  return true;
}

// Checks the strides of a local array that has elements of the subarray, each of `bytes` bytes. Of B, no two elements
// may share memory. Allocates nothing, because no process would tell the others about a failure here.
template <class Named>
void demand_strides(const Named& named, const JobArray& array, Index bytes) {
  const std::int64_t* const strides = array.strides;
  const auto rule = [&](int k, const char* reason) {
    fail(named(), std::string("strides_") + array.name + "[" + std::to_string(k) + "] is " +
                      std::to_string(strides[k]) + reason);
  };
  for (int k = 0; k < std::ssize(array.local.axes); ++k)
    if (strides[k] < 0 || strides[k] > max_elements) rule(k, ", must be in 0 .. 2^40");
  Axes axes;
  // Along the axes so far: from the first element of the subarray to the last one, and from the begin of the array.
  Wide reach = 0, end = 0;
  for (const auto& [k, held, extent] : by_stride(array, axes)) {
    if (array.name == 'b' && held.length() > 1 && strides[k] <= reach) rule(k, ": elements of B would share memory");
    reach += Wide{held.length() - 1} * strides[k];
    end += Wide{held.end - 1} * strides[k];
    if (exceeds_memory(end, bytes)) rule(k, exceeds_memory_text);
  }
}

// Checks one of the arrays of a job.
template <class Named>
void demand_array(const Named& named, const JobArray& array, const xredist_plan& plan) {
  if (!plan.form && array.strides != nullptr)
    fail(named(), std::string("strides_") + array.name + " is not NULL: the plan is of matrices");
  if (plan.form && array.ld != 0)
    fail(named(),
         std::string("ld") + array.name + " is " + std::to_string(array.ld) + ", must be 0: the plan is of arrays");
  if (!array.local.accessed) return;
  if (array.data == nullptr)
    fail(named(), std::string(1, array.name) + " is NULL on a process that holds a part of it");
  if (array.ld != 0)
    demand_ld(named, array);
  else if (array.strides != nullptr)
    demand_strides(named, array, (plan.parts->front().redistribution.*array.bytes)());
  else if (array.local.exceeds_memory)
    fail(named(), std::string(1, array.name) + exceeds_memory_text);
}

// Returns the leading dimension of a matrix. `passed`: that of the job.
Index leading(Index passed, const ArrayPart& local) { return passed != 0 ? passed : local.axes.front().extent; }

// Returns the places of the elements of a local array in a plan of arrays; nullptr outside the grid.
const ArrayStrides* places_of(const JobArray& array, const xredist_plan& plan, Places& places) {
  const std::optional<ArrayStrides>& without_gaps = (*plan.form).*array.places;
  const std::int64_t* const strides = array.own_strides();
  if (strides == nullptr) return without_gaps ? &*without_gaps : nullptr;
  std::array<Interval, XREDIST_MAX_DIMS> held;
  for (const LocalAxis& axis : array.local.axes) at(held, axis.number) = axis.held;
  const std::size_t dims = array.local.axes.size();
  auto own = std::make_shared<const ArrayStrides>(plan.form->form.places(
      array.side, std::span(held).first(dims), {strides, dims}, plan.parts->front().redistribution));
  places.push_back(own);
  return own.get();
}

// Has a job consume A. `distinct`: each element of A leaves its own memory, once. If A and B overlap, the pages of A
// stay.
void consume(Job& job, bool distinct) {
  const Plan& plan = *job.plan;
  job.panels = panels_to_consume(plan);
  job.consumes = distinct && plan.redistribution.whole() && !overlap_in_memory(plan, job.a, job.b);
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
    demand_array(named, array_a(job), *job.plan);
    demand_array(named, array_b(job), *job.plan);
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
  const xredist_plan& plan = *job.plan;
  LocalArrays arrays{{static_cast<const std::byte*>(job.a), leading(job.lda, plan.a)},
                     {static_cast<std::byte*>(job.b), leading(job.ldb, plan.b)}};
  if (plan.form) {
    places.push_back(plan.form);
    arrays.a.strides = places_of(array_a(job), plan, places);
    arrays.b.strides = places_of(array_b(job), plan, places);
  }
  return arrays;
}

void add_member(std::vector<Job>& all, const xredist_job& job, std::span<const Plan> plans, int member,
                Places& places) {
  const auto [a, b] = arrays_of(job, places);
  for (const Plan& plan : plans) all.push_back({&plan, a, b, scalars_of(job), member});
  if (job.consume != 0 && plans.size() == 1) consume(all.back(), are_distinct(array_a(job), job.plan->form.get()));
}

}  // namespace xredist::core
