// SPDX-License-Identifier: BSD-3-Clause
// Calls the drop-in between start and wait of the C interface. Some processes wait before the call, others after it.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "grid.hpp"
#include "move.hpp"
#include "xredist/scalapack.h"

namespace xredist::testing {
namespace {

// Moves a matrix from all processes to the first, which needs communication to agree on the arguments.
void gather(const Context& rows, const Context& one) {
  constexpr int n = 100;
  const int desca[9] = {1, rows.handle(), n, n, 4, 4, 0, 0, n}, descb[9] = {1, one.handle(), n, n, 8, 8, 0, 0, n};
  const std::vector<double> a(n * n, 1.0);
  std::vector<double> b(n * n, 0.0);
  Cpdgemr2d(n, n, a.data(), 1, 1, desca, b.data(), 1, 1, descb, rows.handle());
  EXPECT_EQ(std::count(b.begin(), b.end(), 1.0), one.member() ? n * n : 0);
}

class KnownOrNot : public ::testing::TestWithParam<bool> {};  // true: the library has seen the context before

TEST_P(KnownOrNot, StartAndWaitTheDropIn) {
  const Context rows(row_major(size(), 1)), one(row_major(1, 1));
  if (GetParam()) gather(rows, one);
  Move move(MPI_COMM_WORLD, {size(), 1, 3, 3}, {1, size(), 3, 3}, 1500, 1500);
  ASSERT_EQ(move.start(), 0);
  if (rank() != 0) {
    EXPECT_EQ(move.wait(), 0);
  }
  gather(rows, one);
  EXPECT_EQ(move.wait(), 0);
  EXPECT_EQ(move.wrong(), 0);
}
INSTANTIATE_TEST_SUITE_P(New, KnownOrNot, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Known, KnownOrNot, ::testing::Values(true));

// Calls the drop-in on two processes while the others wait outside of the library.
TEST(Between, StartAndWaitTheDropInOfSome) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  const Context pair(row_major(2, 1)), one(row_major(1, 1));
  Move move(MPI_COMM_WORLD, {size(), 1, 3, 3}, {1, size(), 3, 3}, 1500, 1500);
  ASSERT_EQ(move.start(), 0);
  if (pair.member()) gather(pair, one);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(move.wait(), 0);
  EXPECT_EQ(move.wrong(), 0);
}

}  // namespace
}  // namespace xredist::testing
