// SPDX-License-Identifier: BSD-3-Clause
// The memory of an exchange.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "exchange/buffers.hpp"
#include "exchange/errors.hpp"
#include "exchange/receiver.hpp"
#include "exchange/sender.hpp"
#include "exchange/shared_memory.hpp"
#include "exchange/wire.hpp"

namespace xredist::core {

/// Buffers and requests, used by one exchange at a time and kept for the next: to free and allocate them would cost
/// more than a small exchange.
struct Workspace {
  /// An exchange in this workspace: constant from its beginning to its end.
  struct Session {
    Session(Channel& of_exchange, const Buffers& memory, const Batch& batch, Workspace& space)
        : channel(of_exchange),
          wire{channel, space.peers},
          buffers(memory),
          receiver({wire, buffers, batch, space.requests, space.packer, space.incoming}),
          sender({wire, buffers, batch, space.requests, space.packer, space.outgoing}, space.handed_over) {}
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Channel& channel;
    const Wire wire;
    const Buffers buffers;
    Receiver receiver;
    Sender sender;
  };

  Requests requests;
  Packer packer;
  Slots incoming, outgoing;
  HandedOver handed_over;
  std::vector<Peer> peers;           ///< of the session: after a failure the workspace outlives the exchange
  SharedMemory::Loan shared_memory;  ///< of the outgoing slots
  std::optional<Session> session;    ///< none in an idle workspace

  /// Allocates the buffers. Returns the first byte. Throws OutOfMemory.
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
