// SPDX-License-Identifier: BSD-3-Clause
// Rules of a solver as arguments: checks, conversion and errors. Also the broadcast of xredist_tell.
#pragma once

#include <vector>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "exchange/channel.hpp"
#include "exchange/progress.hpp"
#include "fit/fitted_layout.hpp"
#include "xredist/fit.h"

namespace xredist::core {

/// Checks rules for a communicator of `size` processes. `name`: of the rules, in messages.
MaybeError rules_error(std::string_view name, const xredist_rules& rules, Index size);

/// Converts valid rules, and replaces members that are 0 by their defaults. NULL: the rules of ScaLAPACK.
Rules rules_from(const xredist_rules* rules);
/// Returns a hash of rules, which processes compare.
Index number_of(const Rules& rules);

/// Returns the rules of a solver, as xredist_rules_for does. Throws InvalidArgument.
xredist_rules rules_for(const char* solver);

/// Fits a layout as xredist_fit does. `callers`: a failure of the caller, or nullptr. Throws.
void fit_on_communicator(MPI_Comm comm, Index m, Index n, const xredist_layout* a, const xredist_rules* rules,
                         const Failure* callers, xredist_layout* b, int ranks[]);
/// Tells data as xredist_tell does. `callers`: as above. All processes throw the same failure.
void tell_on_communicator(MPI_Comm comm, const xredist_layout* b, void* data, Index bytes, const Failure* callers);

/// Returns the error of a rule that cannot be met.
ArgumentError unmet_error(std::string_view name, const Unmet& unmet);

/// Returns the node of each process of a channel whose links are explored; 0 for a lone process.
std::vector<int> node_of_each(const Channel& channel);

/// Broadcasts `bytes` bytes from rank `root` of comm. Collective.
void tell(MPI_Comm comm, int root, void* data, Index bytes, Progress& progress);

}  // namespace xredist::core
