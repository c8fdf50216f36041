// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/workspace.hpp"

#include <new>

#include "exchange/errors.hpp"

namespace xredist::core {

std::byte* Workspace::reserve(const BufferSize& size) {
  const Index bytes = size.bytes();
  if (bytes > capacity_) {
    memory_.reset();
    capacity_ = 0;
    memory_.reset(new (std::nothrow) std::byte[as_size(bytes)]);
    if (!memory_) throw OutOfMemory(bytes);
    capacity_ = bytes;
  }
  return memory_.get();
}

}  // namespace xredist::core
