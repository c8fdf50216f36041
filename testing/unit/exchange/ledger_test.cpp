// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/ledger.hpp"

#include <gtest/gtest.h>

#include "allocations.hpp"

namespace xredist::core {
namespace {

using Entries = std::vector<std::pair<int, Index>>;

// Counts an exchange of plans with these peers.
Entries counted(Ledger& ledger, const std::vector<std::vector<int>>& plans) {
  Entries entries;
  const Ledger::Entry entry = ledger.open();
  for (const auto& peers : plans)
    for (const int rank : peers)
      if (const auto number = entry.count(rank)) entries.emplace_back(rank, *number);
  return entries;
}

TEST(Ledger, NumbersTheExchangesOfEachPair) {
  Ledger ledger(4);
  EXPECT_EQ(counted(ledger, {{1, 2}}), Entries({{1, 1}, {2, 1}}));
  EXPECT_EQ(counted(ledger, {{2}}), Entries({{2, 2}}));
  EXPECT_EQ(counted(ledger, {{1, 3}}), Entries({{1, 2}, {3, 1}}));
}

TEST(Ledger, CountsAPeerOfSeveralPlansOnce) {
  Ledger ledger(4);
  EXPECT_EQ(counted(ledger, {{2}, {1, 2}, {}}), Entries({{2, 1}, {1, 1}}));
  EXPECT_EQ(counted(ledger, {{2}}), Entries({{2, 2}}));
}

TEST(Ledger, RemembersRefusalsUntilTheyAreForgotten) {
  Ledger ledger(4);
  EXPECT_FALSE(ledger.refuses_some());
  ledger.refuse(2, 5, false);
  ledger.refuse(1, 7, false);
  EXPECT_TRUE(ledger.refuses_some() && ledger.refuses(2, 5) && ledger.refuses(1, 7));
  EXPECT_FALSE(ledger.refuses(2, 4) || ledger.refuses(2, 6) || ledger.refuses(1, 5));
  EXPECT_FALSE(ledger.refuses_permanently(2, 5));
  ledger.forget(2, 5);
  EXPECT_FALSE(ledger.refuses(2, 5));
  EXPECT_TRUE(ledger.refuses(1, 7));
}

TEST(Ledger, RefusesForEverFromTheFirstNumber) {
  Ledger ledger(4);
  ledger.refuse(3, 9, true);
  ledger.refuse(3, 6, true);
  ledger.refuse(3, 8, true);
  EXPECT_FALSE(ledger.refuses(3, 5));
  EXPECT_TRUE(ledger.refuses(3, 6) && ledger.refuses_permanently(3, 6) && ledger.refuses_permanently(3, 1000));
  EXPECT_FALSE(ledger.refuses(2, 6));
}

// Memory for the peers and 64 more, and as much again, so that memory is seldom reserved.
TEST(Ledger, HasReservedMemoryForRefusals) {
  Ledger ledger(4);
  ledger.reserve(10);
  const long before = testing::allocations();
  for (Index number = 1; number <= 148; ++number) ledger.refuse(1, number, false);
  EXPECT_EQ(testing::allocations(), before);
  ledger.refuse(1, 149, false);
  EXPECT_GT(testing::allocations(), before);
}

TEST(Ledger, RecordsARefusalLaterIfMemoryIsMissing) {
  Ledger ledger(4);
  ledger.record_late();
  EXPECT_FALSE(ledger.has_late_refusal() || ledger.refuses_some());
  testing::fail_allocation(1);
  ledger.refuse(1, 3, false);
  EXPECT_TRUE(testing::stop_failing());
  EXPECT_TRUE(ledger.has_late_refusal() && ledger.refuses_some());
  EXPECT_FALSE(ledger.refuses(1, 3));
  ledger.reserve(1);
  const long before = testing::allocations();
  ledger.record_late();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_TRUE(ledger.refuses(1, 3));
  EXPECT_FALSE(ledger.has_late_refusal());
}

}  // namespace
}  // namespace xredist::core
