// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h and array.h about plans, requests and options, which throw in place of returning codes.
#pragma once

#include <mpi.h>

#include <functional>
#include <span>

#include "copy/operation.hpp"
#include "layout/index.hpp"
#include "xredist/array.h"
#include "xredist/xredist.h"

namespace xredist::core {

struct Failure;

/// Make a plan as xredist_plan_create and xredist_array_plan_create do. `integer`: the type that 'I' names. `callers`:
/// a failure of the caller, or nullptr. Collective the first time, and unless the option "check" is local: all
/// processes throw the same failure then, also if they are in different functions, or if their arguments differ. Throw.
void create_plan(MPI_Comm comm, const xredist_layout* a, const xredist_layout* b, const xredist_operation* operation,
                 Type integer, const Failure* callers, xredist_plan** plan);
void create_plan(MPI_Comm comm, const xredist_array_layout* a, const xredist_array_layout* b,
                 const xredist_array_operation* operation, Type integer, const Failure* callers, xredist_plan** plan);

/// Sets an option, as xredist_set_option does. Throws.
void set_option_on(MPI_Comm comm, const char* name, const char* value);

/// Starts a batch, as xredist_start does. Throws.
void start_batch(std::span<const xredist_job> jobs, xredist_request** request);
/// Waits for a batch, as xredist_wait does. Throws.
void wait_for_batch(xredist_request** request);
/// Executes a plan, as xredist_execute does. Throws.
void execute_job(const xredist_job& job);

/// Measures the ways of a plan, and executes the plan, as xredist_plan_tune does. `job_of`: returns the job of this
/// process, or throws the error in its arguments. Collective, so that all processes throw the error. Throws.
void tune_plan(xredist_plan* plan, const std::function<xredist_job()>& job_of);

/// Checks the number of a member of a batch; members count from `first`. A request that is NULL has any number of
/// members. Throws InvalidArgument.
void demand_member(const xredist_request* request, Index member, Index first);

/// Test and wait for a member of a batch, counted from 0, as the functions of xredist.h do. Throw.
bool test_member(xredist_request* request, int member);
void wait_for_member(xredist_request* request, int member);

}  // namespace xredist::core
