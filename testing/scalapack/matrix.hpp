// SPDX-License-Identifier: BSD-3-Clause
// A distributed square matrix whose elements identify their position, for tests of plans.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "grid.hpp"
#include "layout/axis.hpp"
#include "xredist/blacs.h"

namespace xredist::testing {

/// An n x n matrix in square blocks. Elements are -1 until fill() is called.
struct Matrix {
  xredist_int n;
  GridShape shape;
  Context grid;
  std::array<xredist_int, 9> desc;
  std::vector<double> data;

  Matrix(const GridShape& grid_shape, xredist_int size, xredist_int block)
      : n(size),
        shape(grid_shape),
        grid(shape),
        desc{1, grid.handle(), n, n, block, block, 0, 0, n},
        data(grid.member() ? static_cast<std::size_t>(n * n) : 0, -1.0) {}

  /// Calls visit(i, j, element) for each element of this process, i and j from 0.
  template <class Visit>
  void each(Visit visit) {
    if (!grid.member()) return;
    const core::Axis rows{desc[4], shape.nprow, 0, 0}, cols{desc[5], shape.npcol, 0, 0};
    xredist_int local_j = 0;
    for (xredist_int j = 0; j < n; ++j) {
      if (core::owner(cols, j) != grid.col()) continue;
      xredist_int local_i = 0;
      for (xredist_int i = 0; i < n; ++i)
        if (core::owner(rows, i) == grid.row()) visit(i, j, data[static_cast<std::size_t>(local_i++ + n * local_j)]);
      ++local_j;
    }
  }
  /// Sets element (i, j) to first + i + n j.
  void fill(double first) {
    each([&](xredist_int i, xredist_int j, double& x) { x = first + static_cast<double>(i + n * j); });
  }
  /// Counts the elements of this process that differ from a matrix filled with `first`. With U or L, the elements
  /// outside of this triangle should be -1.
  long wrong(double first, char uplo = 'A') {
    long count = 0;
    each([&](xredist_int i, xredist_int j, const double& x) {
      const bool moved = uplo == 'A' || (uplo == 'U' ? i <= j : i >= j);
      count += x != (moved ? first + static_cast<double>(i + n * j) : -1.0);
    });
    return count;
  }
};

using Descriptor = std::array<xredist_int, 9>;

inline int create_plan(xredist_int ctxt, const Descriptor& a, const Descriptor& b, const xredist_operation& operation,
                       xredist_plan** plan, const xredist_partitions& partitions = {}) {
  return xredist_plan_create_blacs(ctxt, a.data(), b.data(), &operation, &partitions, plan);
}

}  // namespace xredist::testing
