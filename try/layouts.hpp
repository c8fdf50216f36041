// SPDX-License-Identifier: BSD-3-Clause
// Trials of a solver in another layout: xredist-try --layouts.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace xredist::trial {

/// A matrix of order n in the fitted layout.
struct Fitted {
  std::array<int, 9> desc;
  std::vector<std::byte> a, z;  ///< local arrays: the matrix, and room for eigenvectors

  int rows() const { return desc[8]; }
};

/// A call of a solver for a matrix of order n.
struct Solve {
  const char* routine;
  int bytes;  ///< of an element
  int n, ia, ja;
  const void* a;
  const int* desca;
  bool query;           ///< of the workspace, which is not a solution
  const char* why_not;  ///< the reason why the call is not tried; nullptr: it is
  bool vectors;         ///< the result is Z, not A
};

/// Solves a copy of A with `copy` in the layout that xredist_fit_blacs chooses, moves the result back to memory that is
/// thrown away, and then lets the program solve with `own`. `copy` returns INFO, on the processes of the fitted grid.
/// Without --layouts, only calls `own`. Collective over the processes of the call.
void solve(const Solve& call, const std::function<void()>& own, const std::function<int(Fitted&)>& copy);

/// Lets the program call a solver that is not tried, and counts the call with the reason. `lwork`: nullptr, or the
/// argument that is -1 in a query of the workspace. Local.
void pass_on(const char* routine, const char* why, const int* desca, const int* lwork,
             const std::function<void()>& own);

}  // namespace xredist::trial
