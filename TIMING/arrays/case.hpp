// SPDX-License-Identifier: BSD-3-Clause
// Cases of arrays of d axes: how A and B are distributed and stored, and the local arrays, whose elements can be told
// from each other.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "drivers/times.hpp"
#include "xredist/array.h"

namespace arrays {

using drivers::as_size, drivers::at;
using Index = std::int64_t;

/// A or B: the distribution in the notation of High Performance Fortran, the grid, and the axes from the fastest to the
/// slowest in memory.
struct Side {
  std::string pattern;
  std::vector<int> grid, order;
  std::vector<xredist_axis> axes;  ///< of the pattern on the grid

  int processes() const;
  xredist_array_layout layout() const;
};

struct Case {
  std::vector<Index> shape;
  int bytes = 8;  ///< of an element: a multiple of 8
  Side a, b;
  std::string text;  ///< the line from which it was read

  std::size_t dims() const { return shape.size(); }
  bool stored_alike() const { return a.order == b.order; }
};

/// Reads a line "128x128x128 8 (*,block,block) 1x2x2 012 (block,*,block) 2x1x2 012": shape, bytes of an element, and
/// for A and B the pattern, the grid and the order. Throws std::invalid_argument.
Case case_of(const std::string& line);

/// Returns the indices (from 0) along each axis that the process holds, in ascending order. The last axis of the grid
/// is the fastest in the order of ranks, as in xredist.
std::vector<std::vector<Index>> owned(const Case& c, const Side& side, int rank);

/// A box of indices [low, high) along each axis.
struct Box {
  std::vector<Index> low, high;

  bool operator==(const Box&) const = default;
};

/// Returns the boxes of all processes; none if a process holds more than one box.
std::vector<Box> boxes_of(const Case& c, const Side& side);

/// The local part of A or B on this process. Elements are stored without gaps.
struct Local {
  std::vector<std::vector<Index>> indices;  ///< of each axis
  std::vector<std::uint64_t> data;

  Index extent(std::size_t axis) const { return static_cast<Index>(indices[axis].size()); }
  Index elements() const;
};

/// The local arrays of a case on this process. All processes of MPI_COMM_WORLD take part.
struct Stage {
  explicit Stage(const Case& shown);

  /// Writes other values to all of B, and checks that each element of B is that of A.
  void clear_b();
  bool b_is_right() const;

  const Case& c;
  Local a, b;
};

}  // namespace arrays
