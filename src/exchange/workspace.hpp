// SPDX-License-Identifier: BSD-3-Clause
// The memory of an exchange.
#pragma once

#include <memory>
#include <new>

#include "exchange/errors.hpp"
#include "exchange/receiver.hpp"
#include "exchange/sender.hpp"
#include "exchange/shared_memory.hpp"
#include "plan/buffers.hpp"

namespace xredist::core {

/// Buffers and requests, used by one exchange at a time and kept for the next: to free and allocate them would cost
/// more than a small exchange.
struct Workspace {
  ExchangeContext context;
  Receiver receiver{context};
  Sender sender{context};
  SharedMemory* shared_memory = nullptr;  ///< set while the workspace has the outgoing slots in shared memory

  /// Allocates the buffers: incoming slots, outgoing slots and store, in this order. Returns the first byte. Throws
  /// OutOfMemory.
  std::byte* reserve(const BufferSize& size) {
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
  Index capacity() const { return capacity_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index capacity_ = 0;  // bytes
};

}  // namespace xredist::core
