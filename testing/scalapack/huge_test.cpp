// SPDX-License-Identifier: BSD-3-Clause
// Sizes beyond 32 bits, in sparse memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include "grid.hpp"
#include "ranks.hpp"
#include "routines.hpp"
#include "sparse.hpp"

namespace xredist::testing {
namespace {

std::size_t element(std::size_t i, std::size_t j, std::size_t ld) { return i + j * ld; }

// A 10x10 tail of a 70000x70000 local array: offsets of 4.9e9 elements, 39 GB.
TEST(Huge, TailOfALocalArray) {
  constexpr int n = 70'000, first = n - 9;
  const Context a(row_major(1, 1)), b(row_major(1, 1, size() - 1)), all(row_major(size(), 1));
  const Sparse from(std::size_t{8} * n * n), to(std::size_t{8} * n * n);
  ASSERT_TRUE(from && to) << "no address space";
  const xredist_int desc_a[9] = {1, a.handle(), n, n, n, n, 0, 0, n}, desc_b[9] = {1, b.handle(), n, n, n, n, 0, 0, n};
  for (std::size_t j = 0; a.member() && j < 10; ++j)
    for (std::size_t i = 0; i < 10; ++i)
      from.doubles()[element(n - 10 + i, n - 10 + j, n)] = 1.0 + static_cast<double>(i + 10 * j);
  ours()[2].call(Form::c, {false, 'U', 'N', 10, 10, from.doubles(), first, first, desc_a, to.doubles(), first - 1,
                           first - 2, desc_b, all.handle()});
  for (std::size_t j = 0; b.member() && j < 10; ++j)
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_EQ(to.doubles()[element(n - 11 + i, n - 12 + j, n)], 1.0 + static_cast<double>(i + 10 * j));
}

// One message of 2.3 GB between two processes.
TEST(Huge, MessageBeyondTwoGigabytes) {
  if (size() != 2) GTEST_SKIP() << "on two processes";
  constexpr int n = 17'000;
  const std::size_t bytes = std::size_t{8} * n * n;
  if (static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) < 2 * bytes)
    GTEST_SKIP() << "needs " << 2 * bytes << " bytes of free memory";
  const Context a(row_major(1, 1)), b(row_major(1, 1, 1)), all(row_major(1, 2));
  const Sparse from(bytes), to(bytes);
  ASSERT_TRUE(from && to) << "no address space";
  const xredist_int desc_a[9] = {1, a.handle(), n, n, 64, 64, 0, 0, n},
                    desc_b[9] = {1, b.handle(), n, n, 32, 32, 0, 0, n};
  // Every 1000th element is marked. The pages in between share one page of zeros.
  for (std::size_t k = 0; a.member() && k < std::size_t{n} * n; k += 1'000'003)
    from.doubles()[k] = static_cast<double>(k + 1);
  ours()[2].call(Form::c,
                 {false, 'U', 'N', n, n, from.doubles(), 1, 1, desc_a, to.doubles(), 1, 1, desc_b, all.handle()});
  std::size_t wrong = 0, marked = 0;
  for (std::size_t k = 0; b.member() && k < std::size_t{n} * n; ++k) {
    const bool mark = k % 1'000'003 == 0;
    marked += mark ? 1 : 0;
    wrong += to.doubles()[k] != (mark ? static_cast<double>(k + 1) : 0.0) ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(marked, b.member() ? 289u : 0u);
}

}  // namespace
}  // namespace xredist::testing
