// SPDX-License-Identifier: BSD-3-Clause
// The plans of a context's calls.
#pragma once

#include <memory>
#include <vector>

#include "api/tuning.hpp"
#include "plan/plan.hpp"
#include "scalapack/values.hpp"

namespace xredist::core {

/// A call that the processes of a context know: the values on which they have agreed, and its plan.
struct KnownPlan {
  Values agreed;
  Options options{};   ///< under which the plan was made: those of the channel then, or those of the fastest way
  Plans parts{};       ///< one plan, or none if this process has dropped it
  bool tuned = false;  ///< a call has measured the ways of the plan, or could not
  Index bytes = 0;     ///< of `parts`
};

/// Recent calls. All processes of a context know the same calls, in the same order: a call that one process knew alone
/// could start to tune without the others. Plans take more memory on one process than on another, so each process drops
/// plans of known calls as its own memory asks; a plan that is made again from equal values and options is equal.
/// Context::explore_for forgets all calls whose plans were made before the links were explored.
class PlanCache {
 public:
  /// Returns the call with these values, or nullptr. The call becomes the most recently used one.
  KnownPlan* find(const Values& agreed);
  /// Adds a call with its plan, and forgets the least recently used ones beyond `capacity`, which is equal on all
  /// processes.
  KnownPlan& add(const Values& agreed, Plan plan, Index capacity);
  /// Gives a known call another plan.
  void set_plan(KnownPlan& known, Plans parts);
  /// Drops plans, those of the least recently used calls first, until the plans take at most `bytes` or the plan of the
  /// most recently used call alone is left. Local.
  void drop_plans_beyond(Index bytes);
  void clear();

  /// Returns the bytes of all plans.
  Index bytes() const { return bytes_; }

 private:
  void drop(KnownPlan& known);

  std::vector<std::unique_ptr<KnownPlan>> calls_;  // most recently used first
  Index bytes_ = 0;
};

}  // namespace xredist::core
