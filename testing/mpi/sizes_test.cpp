// SPDX-License-Identifier: BSD-3-Clause
// Plans for elements of any size.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "layout/axis.hpp"
#include "layout/partition.hpp"
#include "owners.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {
namespace {

using namespace core;

// The local part of an m x n matrix, with a leading dimension that is larger than the number of local rows. Byte k of
// element (i, j) is a hash of the three.
struct Matrix {
  static unsigned char value(Index i, Index j, Index k) {
    return static_cast<unsigned char>((i * 131 + j * 31 + k * 7 + k / 251) % 255);
  }

  Matrix(const Axis& rows, const Axis& cols, Index row, Index col, Index m, Index n, Index element_bytes)
      : bytes(element_bytes), ld(local_count(rows, row, m) + 3) {
    data.resize(static_cast<std::size_t>(ld * (local_count(cols, col, n) + 1) * bytes), 255);
    Index local_col = 0;
    for (Index j = 0; j < n; ++j) {
      if (owner(cols, j) != col) continue;
      Index local_row = 0;
      for (Index i = 0; i < m; ++i)
        if (owner(rows, i) == row) elements.push_back({i, j, (local_row++ + local_col * ld) * bytes});
      ++local_col;
    }
  }

  // Fills the elements of the submatrix that begins at (i, j), counted from 0, and has the size m x n.
  void fill(Index i, Index j, Index m, Index n, Index i_value, Index j_value) {
    for (const auto& element : elements)
      if (element.i >= i && element.i < i + m && element.j >= j && element.j < j + n)
        for (Index k = 0; k < bytes; ++k)
          data[static_cast<std::size_t>(element.at + k)] = value(element.i - i + i_value, element.j - j + j_value, k);
  }

  struct Element {
    Index i, j, at;
  };
  Index bytes, ld;
  std::vector<unsigned char> data;
  std::vector<Element> elements;
};

Axis axis_of(const xredist_partition* partition, const std::vector<int>& owners_of_elements, Index block, Index procs,
             Index source) {
  if (partition == nullptr) return {block, procs, source, 0};
  std::vector<Index> bounds(owners_of_elements.size() + 1);
  for (std::size_t k = 0; k < bounds.size(); ++k) bounds[k] = static_cast<Index>(k);
  return {std::make_shared<const Partition>(bounds, owners_of_elements, procs), 0};
}

// Copies a submatrix from columns to rows, and checks all bytes of B, also those that stay.
void check(Index bytes, bool with_partition) {
  SCOPED_TRACE(::testing::Message() << bytes << " bytes" << (with_partition ? ", partition" : ""));
  constexpr Index m = 9, n = 11, whole_m = 13, whole_n = 14, ia = 3, ja = 2, ib = 5, jb = 1;
  const std::int64_t bounds[] = {0, 4, whole_m};
  const int owners[] = {size() - 1, 0};
  const xredist_partition partition{2, bounds, owners};
  xredist_layout a{.nprow = 1, .npcol = size(), .mb = 4, .nb = 2}, b{.nprow = size(), .npcol = 1, .mb = 2, .nb = 3};
  if (with_partition) b.rows = &partition;
  std::vector<int> owners_of_rows;
  for (Index i = 0; i < whole_m; ++i) owners_of_rows.push_back(i < 4 ? size() - 1 : 0);

  Matrix from(Axis(4, 1, 0, 0), Axis(2, size(), 0, 0), 0, rank(), whole_m, whole_n, bytes);
  from.fill(0, 0, whole_m, whole_n, 0, 0);
  Matrix to(axis_of(b.rows, owners_of_rows, 2, size(), 0), Axis(3, 1, 0, 0), rank(), 0, whole_m, whole_n, bytes);
  Matrix expected = to;
  expected.fill(ib - 1, jb - 1, m, n, ia - 1, ja - 1);

  const xredist_operation copy{.m = m, .n = n, .ia = ia, .ja = ja, .ib = ib, .jb = jb, .bytes = bytes};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, &a, &b, &copy, &plan), XREDIST_SUCCESS) << xredist_error();
  const xredist_job job{.plan = plan, .a = from.data.data(), .lda = from.ld, .b = to.data.data(), .ldb = to.ld};
  ASSERT_EQ(xredist_execute(&job), XREDIST_SUCCESS) << xredist_error();
  EXPECT_EQ(to.data, expected.data);
  xredist_plan_destroy(plan);
}

TEST(Sizes, OfElements) {
  for (const Index bytes : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48, 100, 1000, 4096, 65535, 65536}) {
    check(bytes, false);
    check(bytes, true);
  }
}

TEST(Sizes, OfElementsOfTrapezoids) {
  const xredist_layout layout{.nprow = 1, .npcol = size(), .mb = 2, .nb = 1};
  xredist_plan* plan = nullptr;
  for (const Index bytes : {1, 2, 4, 8, 16}) {
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
  constexpr Index limit = Index{1} << 40;
  const xredist_layout layout{.nprow = 1, .npcol = 1, .mb = limit, .nb = 1};
  xredist_plan* plan = nullptr;
  const auto code = [&](Index m, Index ia, Index bytes) {
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
