// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/plan_cache.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {

KnownPlan* PlanCache::find(const Values& agreed) {
  const auto found = std::ranges::find_if(plans_, [&](const auto& known) { return known->agreed == agreed; });
  if (found == plans_.end()) return nullptr;
  std::rotate(plans_.begin(), found, found + 1);
  return plans_.front().get();
}

KnownPlan& PlanCache::add(const Values& agreed, Plan plan, Index capacity) {
  while (plans_.size() >= as_size(capacity)) plans_.pop_back();
  Plans parts;
  parts.push_back(std::move(plan));
  plans_.insert(plans_.begin(), std::make_unique<KnownPlan>(KnownPlan{agreed, std::move(parts)}));
  return *plans_.front();
}

}  // namespace xredist::core
