// SPDX-License-Identifier: BSD-3-Clause
// Limits of the sizes of elements. operation_test copies elements of many sizes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {
namespace {

TEST(Sizes, OfElementsOfTrapezoids) {
  const xredist_layout layout{.nprow = 1, .npcol = size(), .mb = 2, .nb = 1};
  xredist_plan* plan = nullptr;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    const auto width = static_cast<std::size_t>(bytes);
    xredist_operation copy{.m = 5, .n = size(), .uplo = 'L', .diag = 'U', .bytes = bytes};
    ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, &layout, &layout, &copy, &plan), XREDIST_SUCCESS) << xredist_error();
    std::vector<unsigned char> a(5 * width), b(5 * width, 200), expected = b;
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = static_cast<unsigned char>(k);
    const std::size_t below = std::min<std::size_t>(5, static_cast<std::size_t>(rank()) + 1) * width;
    if (size() <= 5)
      std::copy(a.begin() + static_cast<std::ptrdiff_t>(below), a.end(),
                expected.begin() + static_cast<std::ptrdiff_t>(below));
    ASSERT_EQ(execute_job({.plan = plan, .a = a.data(), .b = b.data()}), XREDIST_SUCCESS) << xredist_error();
    EXPECT_TRUE(size() > 5 || b == expected);
    xredist_plan_destroy(plan);
  }
  const xredist_operation copy{.m = 5, .n = 5, .uplo = 'L', .bytes = 24};
  EXPECT_EQ(xredist_plan_create(MPI_COMM_WORLD, &layout, &layout, &copy, &plan), XREDIST_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(xredist_error()), "bytes is 24, must be 1, 2, 4, 8 or 16 for a trapezoid");
}

TEST(Sizes, BeyondTheLimits) {
  constexpr std::int64_t limit = std::int64_t{1} << 40;
  const xredist_layout layout{.nprow = 1, .npcol = 1, .mb = limit, .nb = 1};
  xredist_plan* plan = nullptr;
  const auto code = [&](std::int64_t m, std::int64_t ia, int bytes) {
    const xredist_operation copy{.m = m, .n = 1, .ia = ia, .bytes = bytes};
    const int result = xredist_plan_create(MPI_COMM_SELF, &layout, &layout, &copy, &plan);
    xredist_plan_destroy(plan);
    return result;
  };
  EXPECT_EQ(code(limit, 1, 16), XREDIST_SUCCESS) << xredist_error();
  EXPECT_EQ(code(limit / 2, 1, 32), XREDIST_SUCCESS) << xredist_error();
  EXPECT_EQ(code(limit / 2 + 1, 1, 32), XREDIST_INVALID_ARGUMENT);
  EXPECT_EQ(code(limit / 2, 2, 32), XREDIST_INVALID_ARGUMENT);
  EXPECT_EQ(code(1, 1, 65537), XREDIST_INVALID_ARGUMENT);
  EXPECT_EQ(code(1, 1, -8), XREDIST_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace xredist::testing
