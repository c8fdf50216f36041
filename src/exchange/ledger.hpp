// SPDX-License-Identifier: BSD-3-Clause
// The sequence numbers of exchanges, which each pair of processes counts for itself.
#pragma once

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

/// Numbers the exchanges of a channel: those in which this process has messages for, or from, a certain peer are number
/// 1, 2 ... Both processes start these exchanges in the same order, so both count alike, although each also takes
/// part in other exchanges. The numbers are in the tags, so messages of one exchange never match receives of another.
/// With its number a process can name the exchange that it refuses to carry out.
class Ledger {
 public:
  explicit Ledger(int size) : accounts_(as_size(size)) {}

  /// An exchange that is being counted. It may consist of several plans with the same peers.
  class Entry {
   public:
    /// Returns the number of the exchange with process `rank`, or nothing if it has been counted for that process.
    std::optional<Index> count(int rank) const {
      Account& account = ledger_.account_of(rank);
      if (account.last_entry == number_) return std::nullopt;
      account.last_entry = number_;
      return ++account.exchanges;
    }

   private:
    friend class Ledger;
    explicit Entry(Ledger& ledger) : ledger_(ledger), number_(++ledger.entries_) {}
    Ledger& ledger_;
    const Index number_;
  };

  /// Opens the entry of the next exchange.
  Entry open() { return Entry(*this); }

  /// Allocates memory for the refusals of an exchange with `peers` peers, and some more.
  void reserve(std::size_t peers) {
    constexpr std::size_t spare = 64;
    if (const std::size_t needed = refused_.size() + peers + spare; needed > refused_.capacity())
      refused_.reserve(2 * needed);
  }

  /// Records that process `rank` refuses exchange `number`, or (permanent) that exchange and all later ones. Without
  /// memory for the record, the refusal is *late*: until record_late(), only permanent ones may follow.
  void refuse(int rank, Index number, bool permanent) noexcept try {
    const Refusal refusal{rank, number};
    refuses_some_ = true;
    if (permanent)
      account_of(rank).refused_from = std::min(account_of(rank).refused_from, number);
    else
      refused_.insert(std::ranges::upper_bound(refused_, refusal), refusal);
  } catch (const std::bad_alloc&) {
    late_ = {rank, number};
  }
  /// Records the late refusal, if there is one, in memory that reserve() has allocated.
  void record_late() noexcept {
    if (const auto late = std::exchange(late_, std::nullopt)) refuse(late->first, late->second, false);
  }

  bool has_late_refusal() const { return late_.has_value(); }
  bool refuses_some() const { return refuses_some_; }
  bool refuses_permanently(int rank, Index number) const { return number >= account_of(rank).refused_from; }
  bool refuses(int rank, Index number) const {
    return refuses_permanently(rank, number) || std::ranges::binary_search(refused_, Refusal{rank, number});
  }

  /// Forgets that process `rank` refused an exchange, which has ended here.
  void forget(int rank, Index number) {
    const auto [first, last] = std::equal_range(refused_.begin(), refused_.end(), Refusal{rank, number});
    refused_.erase(first, last);
  }

 private:
  struct Account {
    Index exchanges = 0, last_entry = 0, refused_from = std::numeric_limits<Index>::max();
  };
  using Refusal = std::pair<int, Index>;  // rank and number
  Account& account_of(int rank) { return at(accounts_, rank); }
  const Account& account_of(int rank) const { return at(accounts_, rank); }

  std::vector<Account> accounts_;  // by rank
  std::vector<Refusal> refused_;   // ascending
  std::optional<Refusal> late_;
  Index entries_ = 0;
  bool refuses_some_ = false;
};

}  // namespace xredist::core
