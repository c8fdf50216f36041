// One call of a P?GEMR2D or P?TRMR2D, whatever its name, and how it fails.
#pragma once

#include <string>

#include "layout/layout.hpp"

namespace xredist {

/// Entries of an array descriptor.
enum Entry { dtype_, ctxt_, m_, n_, mb_, nb_, rsrc_, csrc_, lld_ };

/// The arguments of one matrix. Where the process is not in its grid only desc[ctxt_] means anything.
template <class Pointer>
struct Operand {
  Pointer data;
  int i, j;  ///< from 1
  const int* desc;
};

struct Call {
  const char* routine;
  Index bytes;  ///< of an element
  bool trapezoid;
  char uplo, diag;
  int m, n;
  Operand<const void*> a;
  Operand<void*> b;
  bool whole_world;  ///< an old form: no context argument, all of MPI_COMM_WORLD
  int ctxt;

  Region region() const { return trapezoid ? xredist::trapezoid(uplo, diag, m, n) : Region{}; }
};

/// What all names do. Returns when this process's part of B is complete and A may be changed.
void redistribute(const Call& call) noexcept;

/// Arguments in the order of P?GEMR2D; P?TRMR2D has UPLO and DIAG before them.
enum class Argument { m = 1, n, a, ia, ja, desca, b, ib, jb, descb, ctxt };

/// "argument 6 (DESCA), entry 5 (MB_)", counted from 1 as in the call's own argument list.
std::string name_of(const Call& call, Argument argument, int entry = -1);

/// Says on stderr what is wrong and ends the program by BLACS_ABORT. Most errors are seen by several
/// processes at once: each gives those of lower rank time to speak first.
[[noreturn]] void fail(const Call& call, int rank, const std::string& what);

}  // namespace xredist
