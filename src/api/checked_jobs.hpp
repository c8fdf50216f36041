// SPDX-License-Identifier: BSD-3-Clause
// The jobs of a program: their checks, and what an exchange is given for them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "copy/operation.hpp"
#include "plan/batch.hpp"
#include "plan/plan.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// What the local arrays of plans of arrays refer to: the plans' own places, and those of jobs that pass strides.
using Places = std::vector<std::shared_ptr<const void>>;

/// The local arrays of a job.
struct LocalArrays {
  ConstArray a;
  Array b;
};

/// Checks the jobs of a batch. Messages name the job if there are several. Throws InvalidArgument.
void demand_jobs(std::span<const xredist_job> jobs);

/// Returns alpha and beta of a job without errors.
Scalars scalars_of(const xredist_job& job);

/// Returns the local arrays of a job without errors. `places` keeps their strides.
LocalArrays arrays_of(const xredist_job& job, Places& places);

/// Adds the execution of a job by these plans, as a member of a batch. `places` keeps the strides of its local arrays.
void add_member(std::vector<Job>& all, const xredist_job& job, std::span<const Plan> plans, int member, Places& places);

}  // namespace xredist::core
