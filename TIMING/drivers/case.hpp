// A redistribution to be timed: P?GEMR2D, or P?TRMR2D, from one matrix to another.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace drivers {

using xredist::Index;

/// A block-cyclic matrix as an array descriptor says it, the place of the submatrix in it, and the grid:
/// row-major, of the processes from `first` on.
struct Matrix {
  int M, N, rsrc, csrc;
  int i, j;  ///< of the submatrix's first element, from 1
  int nprow, npcol, mb, nb;
  int first = 0;
};

struct Case {
  int m, n;
  Matrix a, b;
  bool trapezoid = false;
  char uplo = 'U', diag = 'N';
};

/// The case takes the processes [0, processes).
Index processes(const Case& c);

xredist::Traffic traffic_of(const Case& c);
xredist::Region region_of(const Case& c);
Index elements_of(const Case& c);  ///< that move

/// As the table shows them: "GE" or UPLO and DIAG; "2x4", or "2x4@8" for a grid that begins with process 8; "64x64".
std::string part_text(const Case& c);
std::string grid_text(const Matrix& x);
std::string block_text(const Matrix& x);

}  // namespace drivers
