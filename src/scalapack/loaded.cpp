// SPDX-License-Identifier: BSD-3-Clause
// No containers: their functions would be names that a small library exports.
#include "scalapack/loaded.hpp"

#include <dlfcn.h>

#include <cstddef>

#if __has_include(<link.h>)
#include <link.h>

#include <climits>
#include <cstring>
#endif

namespace xredist::core {
namespace {

#if __has_include(<link.h>)

// The path of one of the loaded libraries.
struct Path {
  int number;  // of the library; decreases to 0
  char text[PATH_MAX];
};

// Copies the path of library `number`. A library is opened after the walk: dl_iterate_phdr holds a lock that dlopen
// needs.
int copy_path(dl_phdr_info* library, std::size_t, void* to) {
  auto& path = *static_cast<Path*>(to);
  if (path.number-- > 0) return 0;
  const std::size_t length = strnlen(library->dlpi_name, sizeof path.text - 1);
  std::memcpy(path.text, library->dlpi_name, length);
  path.text[length] = '\0';
  return 1;
}

bool find_path(int number, Path& path) {
  path.number = number;
  return dl_iterate_phdr(copy_path, &path) != 0;
}

bool is_in_this_library(void* address) {
  Dl_info here, there;
  return dladdr(reinterpret_cast<void*>(&library_with), &here) != 0 && dladdr(address, &there) != 0 &&
         here.dli_fbase == there.dli_fbase;
}

#endif

}  // namespace

void* library_with([[maybe_unused]] const char* routine) {
#if __has_include(<link.h>)
  Path path;
  for (int number = 0; find_path(number, path); ++number) {
    void* const library = path.text[0] == '\0' ? nullptr : dlopen(path.text, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const found = dlsym(library, routine);
    if (found != nullptr && !is_in_this_library(found)) return library;
    dlclose(library);
  }
#endif
  return nullptr;
}

void* next_definition(const char* routine) {
  if (void* const next = dlsym(RTLD_NEXT, routine)) return next;
  void* const library = library_with(routine);
  return library != nullptr ? dlsym(library, routine) : nullptr;
}

}  // namespace xredist::core
