// SPDX-License-Identifier: BSD-3-Clause
// Subnormal numbers are copied, scaled and converted like all others, and the library leaves the arithmetic of its
// program alone, also if the flags of its build contain -ffast-math (preset flags).
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

// Moves an n x n matrix from cyclic columns to cyclic rows. Element (i, j) is (1 + i + n j) unit_a, and becomes
// (1 + i + n j) unit_b.
template <class A, class B>
void expect_moved(char type_a, A unit_a, char type_b, B unit_b, const B* alpha = nullptr) {
  constexpr std::int64_t n = 12;
  const std::int64_t p = size(), me = rank();
  const std::int64_t here = (n - me + p - 1) / p;  // columns of A, rows of B
  const auto number = [](std::int64_t i, std::int64_t j) { return 1 + i + n * j; };
  std::vector<A> a;
  for (std::int64_t c = 0; c < here; ++c)
    for (std::int64_t i = 0; i < n; ++i) a.push_back(static_cast<A>(number(i, me + c * p)) * unit_a);
  std::vector<B> b(static_cast<std::size_t>(here * n), B{-1});
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, {1, size(), n, 1}, {size(), 1, 1, n},
                        {.m = n, .n = n, .type = type_a, .type_b = type_b}, &plan),
            0);
  const xredist_job job{.plan = plan, .a = a.data(), .b = b.data(), .alpha = alpha};
  ASSERT_EQ(xredist_execute(&job), 0);
  xredist_plan_destroy(plan);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t r = 0; r < here; ++r) {
      const B expected = static_cast<B>(number(me + r * p, j)) * unit_b;
      ASSERT_NE(expected, B{0});
      EXPECT_EQ(b[static_cast<std::size_t>(r + j * here)], expected) << me + r * p << ", " << j;
    }
}

constexpr float least_float = std::numeric_limits<float>::denorm_min();
constexpr double least = std::numeric_limits<double>::denorm_min(), least_of_float = least_float;

TEST(Subnormal, NumbersAreCopied) { expect_moved('D', least, 'D', least); }
TEST(Subnormal, NumbersAreScaled) {
  const double four = 4;
  expect_moved('D', least, 'D', 4 * least, &four);
}
TEST(Subnormal, NumbersAreConverted) {
  expect_moved('D', least_of_float, 'S', least_float);
  expect_moved('S', least_float, 'D', least_of_float);
}
TEST(Subnormal, NumbersOfTheProgramAreKept) {
  volatile double tiny = std::numeric_limits<double>::min();
  tiny = tiny / 4;
  EXPECT_GT(tiny, 0);
}

}  // namespace
}  // namespace xredist::testing
