// SPDX-License-Identifier: BSD-3-Clause
// A redistribution that is shown, planned or timed: from one distributed matrix to another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/intervals.hpp"
#include "schedule/schedule.hpp"

namespace cases {

/// A matrix as an array descriptor describes it, the place of the submatrix in it, and its process grid: row-major from
/// process `first` on, or the processes of `ranks`. Each dimension is block-cyclic, or in intervals.
struct Matrix {
  Index M = 0, N = 0;
  int rsrc = 0, csrc = 0;
  Index i = 1, j = 1;  ///< of the submatrix's first element, from 1
  int nprow = 1, npcol = 1;
  Index mb = 1, nb = 1;
  int first = 0;
  std::vector<int> ranks = {};         ///< at each position, row-major; empty: first, first + 1 ...
  std::optional<Intervals> rows = {};  ///< instead of mb and rsrc; they end at M, if that is known
  std::optional<Intervals> cols = {};  ///< instead of nb and csrc

  Index processes() const { return Index{nprow} * npcol; }
  int rank_at(Index row, Index col) const {
    const Index position = row * npcol + col;
    return ranks.empty() ? first + static_cast<int>(position) : ranks[static_cast<std::size_t>(position)];
  }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// The row of the grid that holds row i of the matrix, and the column that holds column j, all from 0. Found without
/// the library, which is checked with them.
Index row_owner(const Matrix& x, Index i);
Index col_owner(const Matrix& x, Index j);

/// Ranks at all positions, row-major.
std::vector<int> ranks_of(const Matrix& x);

/// The position of a rank; nothing where it is not in the grid.
std::optional<xredist::core::Coord> place_of(const Matrix& x, int rank);

struct Case {
  Index m = 0, n = 0;
  Matrix a = {}, b = {};
  bool trapezoid = false;
  char uplo = 'U', diag = 'N';
};

/// How many processes the case needs: those from 0 on.
Index processes(const Case& c);

xredist::core::Layout layout_of(const Matrix& x);
xredist::core::Traffic traffic_of(const Case& c);
xredist::core::Region region_of(const Case& c);
Index elements_of(const Case& c);  ///< that move

/// The most elements that one node sends to others or receives from them, which its port must carry. Counted element by
/// element, without the library; for rectangles only. `nodes` has the number of each process's node; if it is empty,
/// each process has a node of its own.
Index port_elements(const Case& c, std::vector<int> nodes = {});

/// The length of the pattern of owners along one dimension, lcm(P r, Q s); nothing where it exceeds 2^62. Both axes are
/// CYCLIC.
std::optional<Index> period_of(const xredist::core::Axis& a, const xredist::core::Axis& b);

/// The case with the same grids and blocks, and no intervals, for whole matrices of about so many elements, as square
/// as whole periods of the pattern allow. Throws std::invalid_argument if a period is too long.
Case of_about(Case c, double elements);

/// As tables show them: "GE" or UPLO and DIAG; "2x4", or "2x4@8" for a grid that begins with process 8, "2x4*" for
/// one relabelled; "64x64", or "[5]x64" for rows in five intervals.
std::string part_text(const Case& c);
std::string grid_text(const Matrix& x);
std::string block_text(const Matrix& x);

}  // namespace cases
