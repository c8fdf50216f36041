// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/memory.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace drivers {
namespace {

// Returns freed memory to the system. Otherwise a call that uses it again would seem to need none.
void give_back() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// Sets the peak to what is resident now.
bool reset_peak() {
  std::ofstream out("/proc/self/clear_refs");
  return static_cast<bool>(out << 5 << std::flush);
}

std::optional<Index> bytes_of(const std::string& entry) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    if (word != entry) continue;
    Index kilobytes = 0;
    if (in >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

}  // namespace

MemoryWatch::MemoryWatch() {
  give_back();
  if (reset_peak()) before_ = bytes_of("VmRSS:");
}

std::optional<Index> MemoryWatch::since(const char* entry) const {
  const auto now = bytes_of(entry);
  return before_ && now ? std::optional(std::max<Index>(0, *now - *before_)) : std::nullopt;
}

std::optional<Index> MemoryWatch::peak() const { return since("VmHWM:"); }

std::optional<Index> MemoryWatch::kept() const {
  give_back();
  return since("VmRSS:");
}

}  // namespace drivers
