// SPDX-License-Identifier: BSD-3-Clause
// The memory of an exchange.
#pragma once

#include <memory>
#include <new>
#include <vector>

#include "copy/packer.hpp"
#include "exchange/consumption.hpp"
#include "exchange/errors.hpp"
#include "exchange/requests.hpp"
#include "exchange/sender.hpp"
#include "exchange/shared_memory.hpp"
#include "exchange/slots.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// Buffers and requests, owned by one session after the other: to free and allocate them would cost more than a small
/// exchange. After a session that has failed, requests may still be under way.
struct Workspace {
  Requests requests;
  Packer packer;
  Slots incoming, outgoing;
  HandedOver handed_over;
  PacketCursor copies;                    ///< of elements that stay on this process
  Round merged, next_merged;              ///< the current round unless a plan has it, and memory for the next one
  std::vector<Consumption> consumptions;  ///< of all jobs of the session, if one of them consumes A
  SharedMemory::Loan shared_memory;       ///< of the outgoing slots

  /// The messages of a failed session, some of which may still be under way.
  struct Failed {
    Channel* channel = nullptr;  ///< nullptr: no session has failed, or its channel is gone
    std::vector<Peer> peers{};
  } failed;

  /// Allocates the buffers. Returns the first byte. Throws OutOfMemory.
  std::byte* reserve(const BufferSize& size) {
    const Index bytes = size.bytes();
    if (bytes > capacity_) {
      memory_.reset();
      capacity_ = 0;
      memory_.reset(new (std::nothrow) std::byte[as_size(bytes)]);
      if (!memory_) throw OutOfMemory(as_size(bytes));
      capacity_ = bytes;
    }
    return memory_.get();
  }
  Index capacity() const { return capacity_; }

  /// Returns whether no message is under way and no packet is shown or expected.
  bool idle() const { return requests.idle() && awaiting() == 0; }
  /// Returns the number of slots in both directions that wait for flags.
  std::size_t awaiting() const { return incoming.awaiting() + outgoing.awaiting(); }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Index capacity_ = 0;  // bytes
};

}  // namespace xredist::core
