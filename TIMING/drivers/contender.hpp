// SPDX-License-Identifier: BSD-3-Clause
// Contender: a method that moves A to B and is timed beside others. Plans of xredist are the first of them.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drivers/matrices.hpp"
#include "xredist/xredist.hpp"

namespace runs {

using Call = std::function<void()>;

/// Properties of a schedule, known without running it; only for direct messages.
struct Facts {
  std::optional<cases::Index> steps;
  std::optional<cases::Index> messages;  ///< parts between different processes; unknown for trapezoids
};

struct Contender {
  std::string name;
  std::string undefined = {};  ///< why the method is not defined for the case; empty if it is
  Facts facts = {};
  std::function<Call()> make = {};  ///< makes plan and buffers; returns a call that owns them and can be repeated
  bool moves_contents = true;       ///< otherwise only as many bytes travel, without packing
};

/// Values of XREDIST_ALGORITHM and XREDIST_ROUTE.
struct Choice {
  std::string algorithm, route;
};

/// Returns the options that a name stands for. "default": the library chooses order and route. "direct", "two-hop",
/// "striped", and radices of a mesh (4x4): the library chooses the order. Any other name is an algorithm, whose
/// messages go directly.
Choice choice_of(const std::string& name);

/// Returns all names that choice_of() takes.
std::vector<std::string> choices();

/// A plan for the rectangle of a case; the last copy destroys it.
using Plan = std::shared_ptr<xredist_plan>;
Plan plan_of(const cases::Case& c, int bytes, const std::string& choice, MPI_Comm comm = MPI_COMM_WORLD);

/// Returns the radices of the mesh over which a plan travels on this process, as in "4x4x2", or "direct".
std::string route_text(const cases::Case& c, int bytes, const std::string& choice);

void execute(const Plan& plan, const cases::Local& a, const cases::Local& b);

/// Returns a contender that executes a plan. Collective over `comm`. `c`, `a` and `b` must outlive the contender.
Contender planned(const std::string& choice, const cases::Case& c, int bytes, const cases::Local& a,
                  const cases::Local& b, MPI_Comm comm = MPI_COMM_WORLD);

/// A case whose B grid has the processes where they keep the most elements in place (xredist_relabel), and the
/// fractions of the elements that stay after and before relabelling.
struct Relabelled {
  cases::Case c;
  double kept, kept_before;
};

/// Relabels the grid of B. Collective over MPI_COMM_WORLD.
Relabelled relabelled(const cases::Case& c);

}  // namespace runs
