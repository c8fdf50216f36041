// SPDX-License-Identifier: BSD-3-Clause
#include "allocations.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace xredist::testing {
namespace {

long count = 0, failing = 0;  // failing: the number of the allocation that fails, or 0
bool counting = true;
std::size_t largest = 0;  // bytes

void* allocated(std::size_t bytes) {
  if (counting && ++count == failing) return nullptr;
  largest = std::max(largest, bytes);
  return std::malloc(bytes);
}

void* allocated_or_thrown(std::size_t bytes) {
  if (void* memory = allocated(bytes)) return memory;
  throw std::bad_alloc();
}

}  // namespace

long allocations() { return count; }
long largest_allocation() { return static_cast<long>(std::exchange(largest, 0)); }
void fail_allocation(long k) { failing = count + k; }
bool stop_failing() {
  const bool failed = failing != 0 && count >= failing;
  failing = 0;
  return failed;
}
bool count_allocations(bool counted) { return std::exchange(counting, counted); }

}  // namespace xredist::testing

// All forms of new and delete: a sanitizer's own form must not free what these allocate.
#define EXPORTED __attribute__((visibility("default"), noinline))
EXPORTED void* operator new(std::size_t bytes) { return xredist::testing::allocated_or_thrown(bytes); }
EXPORTED void* operator new[](std::size_t bytes) { return xredist::testing::allocated_or_thrown(bytes); }
EXPORTED void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return xredist::testing::allocated(bytes);
}
EXPORTED void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return xredist::testing::allocated(bytes);
}
EXPORTED void operator delete(void* memory) noexcept { std::free(memory); }
EXPORTED void operator delete[](void* memory) noexcept { std::free(memory); }
EXPORTED void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
EXPORTED void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
EXPORTED void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
EXPORTED void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
