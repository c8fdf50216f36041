// A redistribution to be timed: P?GEMR2D, or P?TRMR2D, from one matrix to another.
#pragma once

#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace drivers {

using xredist::core::Index;

/// A block-cyclic matrix as an array descriptor says it, the place of the submatrix in it, and the grid:
/// row-major, of the processes from `first` on, or as `ranks` says.
struct Matrix {
  int M, N, rsrc, csrc;
  int i, j;  ///< of the submatrix's first element, from 1
  int nprow, npcol, mb, nb;
  int first = 0;
  std::vector<int> ranks = {};  ///< at each position, row-major; empty: first, first + 1 ...

  int rank_at(Index row, Index col) const {
    const Index position = row * npcol + col;
    return ranks.empty() ? first + static_cast<int>(position) : ranks[static_cast<std::size_t>(position)];
  }
  friend bool operator==(const Matrix&, const Matrix&) = default;
};

/// Ranks at all positions, row-major.
std::vector<int> ranks_of(const Matrix& x);

struct Case {
  int m, n;
  Matrix a, b;
  bool trapezoid = false;
  char uplo = 'U', diag = 'N';
};

/// The same with B's processes at those positions of its grid that keep the most elements in place
/// (xredist_relabel); `kept`: the fraction that then stays, and that stayed before. By all processes.
Case relabelled(const Case& c, double kept[2]);

/// The case takes the processes [0, processes).
Index processes(const Case& c);

xredist::core::Traffic traffic_of(const Case& c);
xredist::core::Region region_of(const Case& c);
Index elements_of(const Case& c);  ///< that move

/// As the table shows them: "GE" or UPLO and DIAG; "2x4", or "2x4@8" for a grid that begins with process 8, "2x4*" for
/// one relabelled; "64x64".
std::string part_text(const Case& c);
std::string grid_text(const Matrix& x);
std::string block_text(const Matrix& x);

}  // namespace drivers
