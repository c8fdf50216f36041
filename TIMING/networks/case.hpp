// What is moved: a matrix from one distribution to another, and what a network needs for it at least.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace networks {

using xredist::core::Index;

struct Distribution {
  Index nprow, npcol, mb, nb;

  Index processes() const { return nprow * npcol; }
};

/// Both grids begin at rank 0 of MPI_COMM_WORLD, row-major; all elements are double.
struct Case {
  std::string name;
  Distribution a, b;
  Index m, n;

  Index processes() const;
  xredist::core::Traffic traffic() const;
};

/// "16x1/3x1:16x1/5x1": A's grid and blocks, B's grid and blocks; "16/3:16/5" is short for that. The matrix is
/// as square as whole periods of the pattern allow and has about `bytes` bytes. Throws std::invalid_argument.
Case make_case(const std::string& name, Index bytes);

/// The most bytes that one process sends to others or receives from them: what its port must carry. Counted
/// element by element, without the library.
Index port_bytes(const Case& c);

}  // namespace networks
