// SPDX-License-Identifier: BSD-3-Clause
#include "layout/layout.hpp"

#include <gtest/gtest.h>

namespace xredist::core {
namespace {

// P?TRMR2D moves the same elements as ScaLAPACK's routine.
bool moves(char uplo, char diag, Index m, Index n, Index i, Index j) {
  if (uplo == 'U') return i < j + std::max<Index>(m - n, 0) + (diag == 'N' ? 1 : 0);
  return i >= j - std::max<Index>(n - m, 0) + (diag == 'U' ? 1 : 0);
}

TEST(Region, TrapezoidsAsScaLAPACKMovesThem) {
  for (Index m = 1; m <= 7; ++m)
    for (Index n = 1; n <= 7; ++n)
      for (char uplo : {'U', 'L', 'x'})
        for (char diag : {'N', 'U', 'x'}) {
          const Region region = trapezoid(uplo, diag, m, n);
          for (Index j = 0; j < n; ++j) {
            const Interval rows = rows_of(region, j, m);
            for (Index i = 0; i < m; ++i) {
              EXPECT_EQ(rows.begin <= i && i < rows.end, moves(uplo, diag, m, n, i, j))
                  << uplo << diag << " " << m << "x" << n << " (" << i << "," << j << ")";
              EXPECT_EQ(meets(region, i, i, j, j), moves(uplo, diag, m, n, i, j));
              EXPECT_EQ(covers(region, i, i, j, j), moves(uplo, diag, m, n, i, j));
            }
          }
        }
}

TEST(Region, LowerCaseLettersAreTheSame) {
  EXPECT_EQ(trapezoid('u', 'n', 5, 3), trapezoid('U', 'N', 5, 3));
  EXPECT_EQ(trapezoid('l', 'u', 5, 3), trapezoid('L', 'U', 5, 3));
}

TEST(Region, MeetsOrCoversABoxIffAnyOrAllElementsMove) {
  for (const auto& [m, n] : {std::pair<Index, Index>{6, 6}, {6, 4}, {4, 6}})
    for (char uplo : {'U', 'L'}) {
      const Region region = trapezoid(uplo, 'N', m, n);
      for (Index i = 0; i < m; ++i)
        for (Index last_i = i; last_i < m; ++last_i)
          for (Index j = 0; j < n; ++j)
            for (Index last_j = j; last_j < n; ++last_j) {
              bool any = false, all = true;
              for (Index x = i; x <= last_i; ++x)
                for (Index y = j; y <= last_j; ++y) {
                  any |= moves(uplo, 'N', m, n, x, y);
                  all &= moves(uplo, 'N', m, n, x, y);
                }
              EXPECT_EQ(meets(region, i, last_i, j, last_j), any);
              EXPECT_EQ(covers(region, i, last_i, j, last_j), all);
            }
    }
}

TEST(Region, Everything) {
  const Interval rows = rows_of(Region{}, 3, 9);
  EXPECT_EQ(rows.begin, 0);
  EXPECT_EQ(rows.end, 9);
}

}  // namespace
}  // namespace xredist::core
