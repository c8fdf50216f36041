// SPDX-License-Identifier: BSD-3-Clause
// The numbers of exchanges, which each pair of processes counts for itself.
#pragma once

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "plan/plan.hpp"

namespace xredist::core {

/// The exchanges of a channel in which this process has messages for (or from) a certain other one are numbered 1, 2
/// ... Both processes start them in the same order, so both count alike, although each takes part in other exchanges as
/// well. With these numbers in the tags, messages of one exchange never match receives of another, and a process can
/// name the exchange that it does not carry out.
class Ledger {
 public:
  static constexpr Index for_ever = std::numeric_limits<Index>::max();

  explicit Ledger(int size) : accounts_(static_cast<std::size_t>(size)) {}

  /// Counts an exchange of the plans plan_of(0 ... plans - 1). Calls visit(rank, number) once for each process that
  /// it has messages for or from.
  template <class PlanOf, class Visit>
  void count(int plans, PlanOf plan_of, Visit visit) {
    ++counts_;
    for (int i = 0; i < plans; ++i)
      for (const int rank : plan_of(i).peers) {
        Account& account = accounts_[static_cast<std::size_t>(rank)];
        if (account.last_count == counts_) continue;  // counted for an earlier one of these plans
        account.last_count = counts_;
        visit(rank, ++account.exchanges);
      }
  }

  /// Remembers that process `rank` does not carry out exchanges number `first` to `last`. If there is no memory to
  /// remember it, all exchanges with all processes are refused.
  void refuse(int rank, Index first, Index last) noexcept try {
    refusals_.push_back({rank, first, last});
  } catch (const std::bad_alloc&) {
    refuses_all_ = true;
  }
  bool refuses_all() const { return refuses_all_; }
  bool refuses_some() const { return refuses_all_ || !refusals_.empty(); }
  /// The last of the exchanges that were refused together with this one, or 0 if it was not refused.
  Index refused(int rank, Index number) const {
    const auto found = std::ranges::find_if(
        refusals_, [&](const Refusal& r) { return r.rank == rank && r.first <= number && number <= r.last; });
    return found == refusals_.end() ? 0 : found->last;
  }

 private:
  struct Account {
    Index exchanges = 0, last_count = 0;
  };
  struct Refusal {
    int rank;
    Index first, last;
  };
  std::vector<Account> accounts_;  // by rank
  std::vector<Refusal> refusals_;
  Index counts_ = 0;
  bool refuses_all_ = false;
};

}  // namespace xredist::core
