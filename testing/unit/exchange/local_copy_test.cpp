// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/local_copy.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "layout/layout.hpp"

namespace xredist::core {
namespace {

// Returns the number of chunks in which a process copies 1024 x 1024 numbers (8 MiB) with these factors.
int steps(const Scalars& scalars) {
  constexpr Index n = 1024;
  const Layout one{{n, 1, 0, 0}, {n, 1, 0, 0}};
  const std::vector<int> rank{0};
  const Redistribution redistribution = redistribution_of(one, one, n, n, {}, 8, {Type::real64, Type::real64});
  const Plan plan = plan_process(redistribution, rank, rank, 0, {}, {});
  std::vector<double> a(n * n, 3), b(n * n, 1);
  const Job job{.plan = &plan,
                .a = {reinterpret_cast<const std::byte*>(a.data()), n},
                .b = {reinterpret_cast<std::byte*>(b.data()), n},
                .scalars = scalars};
  Packer packer;
  packer.reserve(redistribution, scalars, n * n);
  Batch batch;
  assign(batch, std::span(&job, 1));
  PacketCursor cursor;
  LocalCopy copies(batch, packer, cursor);
  int count = 0;
  for (copies.open(plan.rounds.front().copies); !copies.done(); ++count) {
    EXPECT_TRUE(copies.has_more_of(0));
    copies.step();
  }
  EXPECT_FALSE(copies.has_more_of(0));
  EXPECT_EQ(b, std::vector<double>(n * n, scalars.beta == 0 ? 3 : 4));
  return count;
}

// The requests are polled after each chunk.
TEST(LocalCopy, StopsAfterEachMebibyte) { EXPECT_EQ(steps({}), 8); }

// A chunk stays in the cache.
TEST(LocalCopy, StopsMoreOftenWhereItComputes) { EXPECT_EQ(steps({.alpha = 1, .beta = 1}), 32); }

}  // namespace
}  // namespace xredist::core
