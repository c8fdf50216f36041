// SPDX-License-Identifier: BSD-3-Clause
#include "api/checked_jobs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "api/arguments.hpp"
#include "api/array_part.hpp"
#include "api/failure.hpp"
#include "api/matrix_operation.hpp"
#include "api/plan_handle.hpp"
#include "plan/execution_panels.hpp"
#include "plan/memory_overlap.hpp"

namespace xredist::core {
namespace {

// One of the arrays of a job, and what the plan knows about the array.
struct JobArray {
  LocalArguments passed;  // without leading dimension or strides, the array has those of the plan
  const ArrayPart& local;
  Index (Redistribution::*bytes)() const;  // of an element
  const Axis ArrayAxis::*side;
  std::optional<ArrayStrides> PlannedArray::*places;

  // Returns the strides of an array that is accessed: a process without a part may pass any.
  const std::int64_t* own_strides() const { return local.accessed ? passed.strides : nullptr; }
};

constexpr LocalNames names_a{"a", "lda", "strides_a"}, names_b{"b", "ldb", "strides_b"};

JobArray array_a(const xredist_job& job) {
  return {{names_a, job.a, job.lda, job.strides_a, false},
          job.plan->a,
          &Redistribution::element_bytes_a,
          &ArrayAxis::a,
          &PlannedArray::a};
}

JobArray array_b(const xredist_job& job) {
  return {{names_b, job.b, job.ldb, job.strides_b, true},
          job.plan->b,
          &Redistribution::element_bytes_b,
          &ArrayAxis::b,
          &PlannedArray::b};
}

// Returns whether a list names an element of A several times.
bool repeats_a(const Traffic& traffic) {
  const auto of_a = [](const Overlap& o) { return repeats(o.a); };
  const auto& [rows, cols] = traffic;
  return of_a(rows) || (is_product(cols) ? std::ranges::any_of(*cols.factors(), of_a) : of_a(cols));
}

// Returns whether no two elements of the subarray A share memory, and none is sent more than once.
bool leaves_once(const JobArray& a, const xredist_plan& plan) {
  if (plan.form && plan.form->copied) return false;
  if (repeats_a(plan.parts->front().redistribution.traffic)) return false;
  return a.own_strides() == nullptr || are_distinct(a.own_strides(), a.local);
}

// Checks one of the arrays of a job.
MaybeError array_error(const JobArray& array, const xredist_plan& plan) {
  const auto& [names, data, ld, strides, written] = array.passed;
  if (!plan.form && strides != nullptr) return ArgumentError{{names.strides}, " is not NULL: the plan is of matrices"};
  if (plan.form && ld != 0) return value_error({names.ld}, ld, ", must be 0: the plan is of arrays");
  if (!array.local.accessed) return {};
  if (data != nullptr && ld == 0 && strides == nullptr && !array.local.exceeds_memory) return {};  // most jobs
  return local_error(array.passed, array.local, (plan.parts->front().redistribution.*array.bytes)());
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
  // `member`: "jobs[3]." in a batch.
  const auto fail = [](Text member, std::string_view reason) { throw InvalidArgument(member << reason); };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const xredist_job& job = jobs[i];
    const auto named = [&] { return jobs.size() == 1 ? Text() : Text() << "jobs[" << i << "]."; };
    if (job.plan == nullptr) fail(named(), "plan is NULL");
    if (!job.plan->usable()) fail(named(), "plan: its communicator has been freed");
    if (&job.plan->channel != &jobs[0].plan->channel) fail(named(), "plan has another communicator than jobs[0].plan");
    if (job.consume != 0 && job.consume != 1)
      fail(named(), Text() << "consume is " << job.consume << ", must be 0 or 1");
    if (!are_zero(job.reserved))
      fail(named(), Text() << "reserved" << reserved_error({"reserved"}, job.reserved)->reason);
    if ((job.alpha != nullptr || job.beta != nullptr) && type_of_b(*job.plan) == Type::bits)
      fail(named(), Text() << (job.alpha != nullptr ? "alpha" : "beta") << ": the plan has no type");
    const auto demand_right = [&](const JobArray& array) {
      if (const MaybeError error = array_error(array, *job.plan))
        fail(named(), text_of(error->argument) << error->reason);
    };
    demand_right(array_a(job));
    demand_right(array_b(job));
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
  if (job.consume != 0 && plans.size() == 1) consume(all.back(), leaves_once(array_a(job), *job.plan));
}

}  // namespace xredist::core
