// SPDX-License-Identifier: BSD-3-Clause
// A case: one redistribution, from a distributed matrix A to a distributed matrix B.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace cases {

using xredist::core::as_size, xredist::core::at, xredist::core::Index;

/// A partition of one dimension of a matrix: intervals of any lengths and owners. Interval i has the elements [cuts[i],
/// cuts[i + 1]), counted from 0, and is on row (or column) owners[i] of the process grid.
struct Partition {
  std::vector<Index> cuts;  ///< 0, then the end of each interval, ascending
  std::vector<int> owners;

  friend bool operator==(const Partition&, const Partition&) = default;
};

/// Parses a file with a partition. A line is "END OWNER": the number of elements up to the end of the interval, and the
/// owner, one of `procs`. If no line has an owner, the owners are 0, 1, 2 ... A # begins a comment. `name` appears in
/// messages only. Throws InputError.
Partition read_partition(const std::string& name, const std::string& text, Index procs);

/// A matrix as an array descriptor describes it, the position of the submatrix in it, and the process grid: row-major
/// from rank `first`, or the processes of `ranks`. Each dimension is block-cyclic or a partition.
struct Matrix {
  Index M = 0, N = 0;
  int rsrc = 0, csrc = 0;
  Index i = 1, j = 1;  ///< first row and column of the submatrix, from 1
  int nprow = 1, npcol = 1;
  Index mb = 1, nb = 1;
  int first = 0;
  std::vector<int> ranks = {};         ///< row-major; empty: first, first + 1 ...
  std::optional<Partition> rows = {};  ///< replace mb and rsrc; the last cut is M, if M is known
  std::optional<Partition> cols = {};  ///< replace nb and csrc

  Index processes() const { return Index{nprow} * npcol; }
  int rank_at(Index row, Index col) const {
    const Index position = row * npcol + col;
    return ranks.empty() ? first + static_cast<int>(position) : at(ranks, position);
  }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// Returns the grid row that owns row i of the matrix, and the grid column that owns column j, all from 0. Does not
/// call the library, which is checked with these functions.
Index row_owner(const Matrix& x, Index i);
Index col_owner(const Matrix& x, Index j);

/// Returns the ranks of the grid, row-major.
std::vector<int> ranks_of(const Matrix& x);

/// Returns the grid coordinates of a rank, or nothing if the rank is outside the grid.
std::optional<xredist::core::Coord> coord_of(const Matrix& x, int rank);

struct Case {
  Index m = 0, n = 0;
  Matrix a = {}, b = {};
  bool trapezoid = false;
  char uplo = 'U', diag = 'N';
};

/// Returns the number of processes that the case needs: ranks 0 to the largest of both grids.
Index processes(const Case& c);

xredist::core::Layout layout_of(const Matrix& x);
xredist::core::Traffic traffic_of(const Case& c);
xredist::core::Region region_of(const Case& c);
Index elements_of(const Case& c);  ///< number of elements that the case copies

/// Returns the number of pairs of different processes of which one has elements for the other; rectangles only.
Index messages_of(const Case& c);

/// Returns the maximum number of elements that one node sends to other nodes or receives from them; rectangles only.
/// `nodes` has the lowest rank on the node of each process. If nothing goes from node to node, each process counts as a
/// node.
Index port_elements(const Case& c, const std::vector<int>& nodes);

/// Returns the period lcm(P r, Q s) of the owners along one dimension, or nothing if the period exceeds 2^62. Both axes
/// must be CYCLIC.
std::optional<Index> period_of(const xredist::core::Axis& a, const xredist::core::Axis& b);

/// Returns a case with the same grids and blocks, without partitions, for whole matrices of about `elements` elements,
/// as square as whole periods allow. Throws std::invalid_argument if a period is too long.
Case of_about(Case c, double elements);

/// Returns a case with the same grids and blocks for square matrices of about `elements` elements.
Case square_of(Case c, double elements);

/// Texts for tables. Part: "GE", or UPLO and DIAG. Grid: "2x4", "2x4@8" if the grid begins with process 8, "2x4*" if it
/// is relabelled. Block: "64x64", or "[5]x64" for a partition of the rows into five intervals.
std::string part_text(const Case& c);
std::string grid_text(const Matrix& x);
std::string block_text(const Matrix& x);

}  // namespace cases
