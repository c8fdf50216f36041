// SPDX-License-Identifier: BSD-3-Clause
// The library, called for a case.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "cases/local.hpp"
#include "xredist/xredist.hpp"

namespace runs {

/// What plans are made by, as all programs name it. With "default" the library chooses the order and the route of the
/// messages, with "direct" and "two-hop" only their order. With the other algorithms of xredist::core::algorithms()
/// messages go directly.
struct Choice {
  std::string algorithm, route;  ///< values of XREDIST_ALGORITHM and XREDIST_ROUTE
};
Choice choice_of(const std::string& name);
std::vector<std::string> choices();

/// A plan by one of choices() for the case's rectangle, of elements of so many bytes; freed with the last copy.
using Plan = std::shared_ptr<xredist_plan>;
Plan plan_of(const cases::Case& c, int bytes, const std::string& choice, MPI_Comm comm = MPI_COMM_WORLD);

void execute(const Plan& plan, const cases::Local& a, const cases::Local& b);

/// The case with B's processes at those positions of its grid that keep the most elements in place (xredist_relabel);
/// the fraction that stays then, and the one that stayed before. Called by all processes of MPI_COMM_WORLD.
struct Relabelled {
  cases::Case c;
  double kept, kept_before;
};
Relabelled relabelled(const cases::Case& c);

}  // namespace runs
