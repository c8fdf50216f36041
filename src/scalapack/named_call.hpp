// SPDX-License-Identifier: BSD-3-Clause
// A call of one of the fifty names. The header is small, because the names are compiled in four units.
#pragma once

#include <cstdint>
#include <optional>

#include "xredist/integer.h"

namespace xredist::core {

/// UPLO and DIAG of P?TRMR2D.
struct Triangle {
  char uplo, diag;
};

/// A call of P?GEMR2D or P?TRMR2D, as the program passes it.
struct NamedCall {
  const char* name;                  ///< "PDGEMR2D"
  std::int64_t bytes;                ///< of an element
  std::optional<Triangle> triangle;  ///< of P?TRMR2D
  std::optional<xredist_int> ctxt;   ///< not of an old form, which all of MPI_COMM_WORLD calls
  std::int64_t m, n;
  const void* a;
  std::int64_t ia, ja;
  const xredist_int* desca;
  void* b;
  std::int64_t ib, jb;
  const xredist_int* descb;
};

/// Redistributes. Ends the program by BLACS_ABORT if the call fails.
void move(const NamedCall& call);

/// Copies m x n elements from A to B, local arrays with leading dimensions lda and ldb (elements). Defined elsewhere,
/// because GCC warns of an alias that may throw while its function is known not to.
void copy_local(std::int64_t bytes, std::int64_t m, std::int64_t n, const void* a, std::int64_t lda, void* b,
                std::int64_t ldb);

}  // namespace xredist::core
