// SPDX-License-Identifier: BSD-3-Clause
// The trial of a call: the program's own routine and xredist, on a copy.
#pragma once

#include <functional>

#include "layout/layout.hpp"

namespace xredist::trial {

using core::Index;

/// A matrix as the call passes it. On a process outside the grid of the matrix, only desc[1] is defined.
struct Operand {
  const void* data;
  Index i, j;  ///< from 1
  const int* desc;
};

/// A call of the program. PBLAS calls B C.
struct Call {
  const char* routine;
  char type;  ///< 'I', 'S', 'D', 'C', 'Z'
  Index m, n;
  Operand a;
  Operand b;
  int ctxt;
  bool whole_world = false;  ///< an old form without a context, called by all processes of MPI_COMM_WORLD
  core::Region region{};
  bool transposed = false;     ///< A is n x m
  const void* beta = nullptr;  ///< of a sum, which is compared within rounding
};

/// Carries out the call with `own` and `xredist`, which get the address of the array that takes the result. The result
/// of `own` stays in B. Collective over the processes of the call.
void attempt(const Call& call, const std::function<void(void*)>& own, const std::function<void(void*)>& xredist);

/// Returns whether this thread carries out a trial. Calls of the routines inside a trial are not tried.
bool& inside();

/// Returns the next definition of a routine after the one in this library. Ends the program if there is none.
void* next(const char* name);

}  // namespace xredist::trial
