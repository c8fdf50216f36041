// SPDX-License-Identifier: BSD-3-Clause
// Routines of the libraries that the program has loaded, also of those that were opened for one other library alone
// (RTLD_LOCAL): Python opens extension modules, and the libraries that these need, so. Compiled for each library.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace xredist::core {

/// Returns a handle for dlsym of a loaded library that has a routine, itself or in a library that it needs. Definitions
/// in the library that contains this function do not count, nor do those of the program itself. The first library that
/// was loaded is taken, and stays loaded. Returns nullptr if there is none.
void* library_with(const char* routine);

/// Returns the definition of a routine that the dynamic linker finds after the library that contains this function
/// (RTLD_NEXT), otherwise that of library_with(). Returns nullptr if there is none.
void* next_definition(const char* routine);

/// Calls the next definition of a routine with a descriptor that xredist does not support. Ends the program with the
/// text `missing` if there is none.
template <class... Arguments>
void pass_on(const char* missing, const char* routine, Arguments... arguments) {
  void* const next = next_definition(routine);
  if (next == nullptr) {
    std::fprintf(stderr, "xredist: %s: %s, which xredist does not support\n", routine, missing);
    std::abort();
  }
  reinterpret_cast<void (*)(Arguments...)>(next)(arguments...);
}

}  // namespace xredist::core
