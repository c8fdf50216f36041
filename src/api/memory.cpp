// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that allocate local arrays, and give their pages back.
#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include "api/arguments.hpp"
#include "api/failure.hpp"
#include "exchange/errors.hpp"
#include "exchange/pages.hpp"
#include "xredist/xredist.h"

using namespace xredist::core;

struct xredist_pages {
  Pages all;
};

namespace {

#ifndef MAP_NORESERVE
constexpr int MAP_NORESERVE = 0;
#endif

// The size of the mapping is in its first page, which the array does not use.
std::size_t header_bytes() { return as_size(system_page_bytes()); }

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
    if (memory == nullptr) throw OutOfMemory(bytes);
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

int xredist_pages_create(void* array, size_t bytes, xredist_pages** pages) {
  return coded([&] {
    demand(null_error({"pages"}, pages));
    *pages = nullptr;
    if (array == nullptr || bytes == 0) return;
    auto* const begin = static_cast<std::byte*>(array);
    auto made = std::make_unique<xredist_pages>(xredist_pages{{begin, begin + bytes}});
    if (!made->all.empty()) *pages = made.release();
  });
}

void xredist_pages_give_up(xredist_pages* pages, void* part, size_t bytes) {
  if (pages == nullptr) return;
  auto* const begin = static_cast<std::byte*>(part);
  pages->all.give_up(begin, begin + bytes);
  pages->all.release();
}

void xredist_pages_destroy(xredist_pages* pages) { delete pages; }
