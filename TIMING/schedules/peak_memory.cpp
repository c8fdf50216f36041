// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new in a program of one thread, to count the bytes in use.
#include "schedules/peak_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t used = 0, peak = 0;

void release(void* memory) noexcept {
  used -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

std::size_t used_bytes() { return used; }
std::size_t peak_bytes() { return peak; }
void reset_peak() { peak = used; }

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  used += malloc_usable_size(memory);
  peak = std::max(peak, used);
  return memory;
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
