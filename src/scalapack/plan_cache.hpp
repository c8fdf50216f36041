// SPDX-License-Identifier: BSD-3-Clause
// The plans of a context's calls.
#pragma once

#include <memory>
#include <vector>

#include "api/tuning.hpp"
#include "plan/plan.hpp"
#include "scalapack/values.hpp"

namespace xredist::core {

/// A plan, and the values on which the processes have agreed in the calls that it serves.
struct KnownPlan {
  Values agreed;
  Plans parts;         ///< one plan
  bool tuned = false;  ///< a call has measured the ways of the plan, or could not
};

/// Plans of recent calls. All processes of a context have plans for the same values, in the same order. add() drops the
/// least recently used plan, and Context::explore_for drops all plans that were made before the links were explored.
class PlanCache {
 public:
  /// Returns the plan for these values, or nullptr. The plan becomes the most recently used one.
  KnownPlan* find(const Values& agreed);
  /// Adds a plan, and forgets the least recently used ones beyond `capacity`.
  KnownPlan& add(const Values& agreed, Plan plan, Index capacity);
  void clear() { plans_.clear(); }

 private:
  std::vector<std::unique_ptr<KnownPlan>> plans_;  // most recently used first
};

}  // namespace xredist::core
