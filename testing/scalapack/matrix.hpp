// SPDX-License-Identifier: BSD-3-Clause
// A distributed square matrix whose elements identify their position, for tests of plans.
#pragma once

#include <array>

#include "grid.hpp"
#include "move.hpp"
#include "xredist/blacs.h"

namespace xredist::testing {

/// An n x n matrix in square blocks, with LLD_ = n. Elements are -1 until fill() is called.
struct Matrix : Part {
  xredist_int n;
  Context grid;
  std::array<xredist_int, 9> desc;

  Matrix(const GridShape& shape, xredist_int size, xredist_int block)
      : Part({shape.nprow, shape.npcol, block, block, 0, 0, shape.ranks.data()}, size, size),
        n(size),
        grid(shape),
        desc{1, grid.handle(), n, n, block, block, 0, 0, n} {
    ld = n;
    data.assign(static_cast<std::size_t>(n) * cols.size(), -1.0);
  }

  double element(double first, std::int64_t i, std::int64_t j) const { return first + static_cast<double>(i + n * j); }
  /// Sets element (i, j) to first + i + n j.
  void fill(double first) {
    each([&](double& x, std::int64_t i, std::int64_t j) { x = element(first, i, j); });
  }
  /// Counts the elements of this process that differ from a matrix filled with `first`. With U or L, the elements
  /// outside of this triangle should be -1.
  long wrong(double first, char uplo = 'A') {
    long count = 0;
    each([&](double x, std::int64_t i, std::int64_t j) {
      count += x != (uplo == 'A' || (uplo == 'U' ? i <= j : i >= j) ? element(first, i, j) : -1.0);
    });
    return count;
  }
};

using Descriptor = std::array<xredist_int, 9>;

inline int create_plan(xredist_int ctxt, const Descriptor& a, const Descriptor& b, const xredist_operation& operation,
                       xredist_plan** plan, const xredist_partitions& partitions = {}) {
  return xredist_plan_create_blacs(ctxt, a.data(), b.data(), &partitions, &operation, plan);
}

}  // namespace xredist::testing
