// One call of a routine that uses BLACS, whatever its name, and how it reports errors.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "layout/layout.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// Entries of an array descriptor.
enum Entry { dtype_, ctxt_, m_, n_, mb_, nb_, rsrc_, csrc_, lld_ };

/// The arguments of one matrix. If the process is not in its grid, only desc[ctxt_] is defined.
template <class Pointer>
struct Operand {
  Pointer data;
  Index i, j;  ///< from 1
  const xredist_int* desc;
};

/// P?GEMR2D, P?TRMR2D, or XREDIST_GRIDMAP. The last one moves nothing, and B has no grid yet: every value of its layout
/// is an argument, on all processes.
enum class Form { general, trapezoid, gridmap };

struct Call {
  const char* routine;
  Form form;
  Index bytes;  ///< of an element
  char uplo, diag;
  Index m, n;
  Operand<const void*> a;
  Operand<void*> b;
  bool whole_world;  ///< an old form without a context argument, called by all of MPI_COMM_WORLD
  xredist_int ctxt;
  Index nprow = 0, npcol = 0;  ///< gridmap: B's grid

  Region region() const { return form == Form::trapezoid ? trapezoid(uplo, diag, m, n) : Region{}; }
};

/// The redistribution, for all names. Returns when this process's part of B is complete and A may be changed.
void redistribute(const Call& call) noexcept;

/// What an error is about: an argument by its name, or an entry of a descriptor, and what of that.
struct Name {
  std::string_view argument;
  int entry = -1;
  const char* detail = "";
};

/// "argument 6 (DESCA), entry 5 (MB_)", counted from 1 as in the routine's own argument list.
std::string name_of(const Call& call, const Name& name);

/// Writes to the log what is wrong and ends the program by BLACS_ABORT. Most errors are seen by several processes at
/// once: each gives those of lower rank time to print first.
[[noreturn]] void fail(const Call& call, int rank, const std::string& what);
[[noreturn]] void fail(const Call& call, const std::exception& error);

/// The rank in MPI_COMM_WORLD, for errors in which no context is known.
int world_rank();

}  // namespace xredist::core
