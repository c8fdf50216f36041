// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/workspace.hpp"

#include <new>

#include "exchange/errors.hpp"

namespace xredist::core {

std::byte* Workspace::reserve(const Cut& cut) {
  const Index bytes = bytes_of(cut);
  if (bytes > size_) {
    memory_.reset();
    size_ = 0;
    memory_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
    if (!memory_) throw OutOfMemory(bytes);
    size_ = bytes;
  }
  return memory_.get();
}

}  // namespace xredist::core
