// SPDX-License-Identifier: BSD-3-Clause
// P?LASWP and P?LAPIV.
#pragma once

#include <cstddef>

#include "layout/index.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// Returns whether a descriptor is of type 1, and no process row or column holds all elements (source -1).
inline bool is_supported(const xredist_int* desc) { return desc[0] == 1 && desc[6] >= 0 && desc[7] >= 0; }

/// The arguments that both routines have. Indices are those of the caller, from 1.
struct PivotCall {
  const char* routine;  ///< in capitals
  char direc, rowcol;
  std::byte* a;
  std::size_t element_bytes;
  xredist_int ia, ja;
  const xredist_int* desca;
};

/// The other arguments of P?LASWP.
struct LaswpArguments {
  xredist_int n, k1, k2;
  const xredist_int* ipiv;
};
/// The other arguments of P?LAPIV, without its workspace.
struct LapivArguments {
  char pivroc;
  xredist_int m, n;
  const xredist_int* ipiv;
  xredist_int ip, jp;
  const xredist_int* descip;
};

/// Interchanges row (column) k of A with row (column) ipiv(k), for k = k1 to k2, or backward. IPIV is local: entry k is
/// at the place of row (column) k in the local array of its owner, and behind the last row (column) before k1 on the
/// other processes, where P?GETF2 puts its copies of a block's pivots. Collective over the grid of A. Ends the program
/// with a sentence if an argument is invalid, or if there is no memory.
void laswp(const PivotCall& call, const LaswpArguments& arguments) noexcept;

/// Interchanges the rows (columns) of an m x n submatrix of A as a distributed vector of pivots says: row ia + k with
/// row ia + ipiv(k) - ip (jp if the vector lies along a process row). The processes hold the pivots of their part of
/// the vector in each process column (row) if the vector lies along the rows (columns) that move; otherwise the pivots
/// are those in process row (column) 0. Collective over the grid of A. Ends the program as laswp does.
void lapiv(const PivotCall& call, const LapivArguments& arguments) noexcept;

}  // namespace xredist::core
