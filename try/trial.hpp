// SPDX-License-Identifier: BSD-3-Clause
// The trial of a call: the program's own routine and xredist, on a copy.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>

#include "report/table.hpp"
#include "scalapack/move.hpp"
#include "xredist/pblas.h"

namespace xredist::trial {

using core::Index;

/// A call of the program. PBLAS calls B C.
struct Call {
  core::Routine routine;
  char type;  ///< 'I', 'S', 'D', 'C', 'Z'
  core::MatrixMove move;
  std::optional<int> ctxt;                    ///< nothing: an old form, called by all processes of MPI_COMM_WORLD
  const xredist_pblas_call* pblas = nullptr;  ///< of PBLAS
  bool known = true;                          ///< false: PBLAS alone knows a descriptor
};

/// Carries out the call with `own` and `xredist`, which get the address of the array that takes the result. The result
/// of `own` stays in B. Collective over the processes of the call.
void attempt(const Call& call, const std::function<void(void*)>& own, const std::function<void(void*)>& xredist);

/// Times a routine, which gets `b`. All processes of comm begin together. `with_memory`: also measures by how much the
/// routine raises the peak of resident memory.
core::Cost measure(MPI_Comm comm, bool with_memory, const std::function<void(void*)>& routine, void* b);

/// Returns whether this thread carries out a trial. Calls of the routines inside a trial are not tried.
bool& inside();

/// Returns the program's own definition of a routine. Ends the program if there is none.
void* next(const char* name);

/// As above, of a routine that redistributes: the results name its library.
void* next_that_moves(const char* name);

}  // namespace xredist::trial
