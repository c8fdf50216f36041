// SPDX-License-Identifier: BSD-3-Clause
// Routines looked up by name in a shared library. Several libraries of one process define P?GEMR2D.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include "xredist/integer.h"

namespace xredist::testing {

/// Returns the path of the shared library that contains `address`.
inline std::string file_of(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0) throw std::runtime_error("cannot find the library of a symbol");
  return info.dli_fname;
}

/// Opens a shared library for the rest of the program: MPI_Finalize may call functions in it.
inline void* opened(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  return library;
}

/// Returns the ScaLAPACK of the program, or nullptr.
inline void* scalapack() {
  static void* const routine = dlsym(RTLD_DEFAULT, "pdgesv_");
  return routine == nullptr ? nullptr : opened(file_of(routine));
}

template <class Function>
Function* symbol(void* library, const std::string& name) {
  void* const found = dlsym(library, name.c_str());
  if (found == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Function*>(found);
}

using GeC = void(xredist_int m, xredist_int n, const void* a, xredist_int ia, xredist_int ja, const xredist_int* desca,
                 void* b, xredist_int ib, xredist_int jb, const xredist_int* descb, xredist_int ctxt);
using TrC = void(const char* uplo, const char* diag, xredist_int m, xredist_int n, const void* a, xredist_int ia,
                 xredist_int ja, const xredist_int* desca, void* b, xredist_int ib, xredist_int jb,
                 const xredist_int* descb, xredist_int ctxt);

/// The C forms of P?GEMR2D and P?TRMR2D of one library for one element type.
struct CRoutines {
  GeC* gemr2d;
  TrC* trmr2d;
};

/// Returns the routines for element type `letter`: i, s, d, c or z.
inline CRoutines c_routines(void* library, char letter) {
  const std::string base = std::string("Cp") + letter;
  return {symbol<GeC>(library, base + "gemr2d"), symbol<TrC>(library, base + "trmr2d")};
}

}  // namespace xredist::testing
