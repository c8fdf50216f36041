// SPDX-License-Identifier: BSD-3-Clause
#include "networks/mover.hpp"

#include <mpi.h>

#include "runs/library.hpp"
#include "runs/timed.hpp"
#include "schedule/algorithm.hpp"

namespace networks {

std::vector<std::string> movers() {
  std::vector<std::string> names = runs::choices();
  names.insert(names.end(), {"scalapack", "at-once", "alltoallv"});
  return names;
}

Mover make_mover(const std::string& name, const Case& c, const Local& a, const Local& b) {
  const runs::Choice choice = runs::choice_of(name);
  const xredist::core::Algorithm* algorithm = xredist::core::find_algorithm(choice.algorithm);
  if (algorithm == nullptr) return make_baseline(name, c);
  // The library takes its default instead; here that would be a figure under a wrong name. One process looks: the
  // simulator would look for each of a thousand.
  int defined = runs::rank_in_world() == 0 && algorithm->make(traffic_of(c), {2e-6, 8e-10}).has_value();
  MPI_Bcast(&defined, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!defined) return {};
  return {[&a, &b, plan = runs::plan_of(c, sizeof(double), name)] { runs::execute(plan, a, b); }, true};
}

}  // namespace networks
