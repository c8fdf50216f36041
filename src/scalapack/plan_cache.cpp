// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/plan_cache.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {

KnownPlan* PlanCache::find(const Values& agreed) {
  const auto found = std::ranges::find_if(calls_, [&](const auto& known) { return known->agreed == agreed; });
  if (found == calls_.end()) return nullptr;
  std::rotate(calls_.begin(), found, found + 1);
  return calls_.front().get();
}

KnownPlan& PlanCache::add(const Values& agreed, Plan plan, Index capacity) {
  while (std::ssize(calls_) >= capacity) {
    drop(*calls_.back());
    calls_.pop_back();
  }
  Plans parts;
  parts.push_back(std::move(plan));
  calls_.insert(calls_.begin(), std::make_unique<KnownPlan>(KnownPlan{.agreed = agreed}));
  set_plan(*calls_.front(), std::move(parts));
  return *calls_.front();
}

void PlanCache::set_plan(KnownPlan& known, Plans parts) {
  drop(known);
  known.parts = std::move(parts);
  for (const Plan& part : known.parts) known.bytes += memory_of(part);
  bytes_ += known.bytes;
}

void PlanCache::drop_plans_beyond(Index bytes) {
  for (std::size_t k = calls_.size(); k > 1 && bytes_ > bytes; --k) drop(*calls_[k - 1]);
}

void PlanCache::clear() {
  calls_.clear();
  bytes_ = 0;
}

void PlanCache::drop(KnownPlan& known) {
  bytes_ -= std::exchange(known.bytes, 0);
  Plans().swap(known.parts);
}

}  // namespace xredist::core
