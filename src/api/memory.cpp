// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that allocate local arrays.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "api/failure.hpp"
#include "exchange/errors.hpp"
#include "xredist/xredist.h"

using namespace xredist::core;

namespace {

#ifndef MAP_NORESERVE
constexpr int MAP_NORESERVE = 0;
#endif

// The size of the mapping is in its first page, which the array does not use.
std::size_t header_bytes() {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

// Returns nullptr if the system has no memory.
void* mapped(std::size_t bytes) {
  const std::size_t size = bytes + header_bytes();
  if (size < bytes) return nullptr;
  void* const begin = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) return nullptr;
  std::memcpy(begin, &size, sizeof size);
  return static_cast<std::byte*>(begin) + header_bytes();
}

}  // namespace

void* xredist_alloc(size_t bytes) {
  void* memory = nullptr;
  coded([&] {
    if (bytes == 0) throw InvalidArgument("bytes is 0, must be at least 1");
    memory = mapped(bytes);
    if (memory == nullptr) throw OutOfMemory(static_cast<Index>(bytes));
  });
  return memory;
}

void xredist_free(void* memory) {
  if (memory == nullptr) return;
  std::byte* const begin = static_cast<std::byte*>(memory) - header_bytes();
  std::size_t size = 0;
  std::memcpy(&size, begin, sizeof size);
  munmap(begin, size);
}
