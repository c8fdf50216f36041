// SPDX-License-Identifier: BSD-3-Clause
// The memory of an exchange.
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

#include "copy/team.hpp"
#include "exchange/consumption.hpp"
#include "exchange/errors.hpp"
#include "exchange/local_copy.hpp"
#include "exchange/session.hpp"
#include "exchange/shared_memory.hpp"

namespace xredist::core {

/// Buffers and requests, used by one exchange at a time and kept for the next: to free and allocate them would cost
/// more than a small exchange.
struct Workspace {
  Requests requests;
  Packer packer;
  Slots incoming, outgoing;
  HandedOver handed_over;
  PacketCursor copies;                    ///< of elements that stay on this process
  std::vector<Consumption> consumptions;  ///< of all jobs of the session, if one of them consumes A
  std::vector<Peer> peers;                ///< of the session: after a failure the workspace outlives the exchange
  SharedMemory::Loan shared_memory;       ///< of the outgoing slots
  std::optional<Session> session;         ///< none in an idle workspace

  /// Begins a session. If this throws, the session may exist already, and has to be closed.
  void open(Channel& channel, const Batch& batch, const BufferSize& size, std::span<const Peer> with) {
    for (const Job& job : batch.jobs) {
      const Redistribution& redistribution = job.plan->redistribution;
      packer.reserve(redistribution, job.scalars, size.packet_bytes / redistribution.bytes);
    }
    packer.set_threads(threads_with_cores(batch.threads));
    std::byte* const memory = reserve(size);
    requests.reset(as_size(size.slots));
    peers.assign(with.begin(), with.end());
    if (batch.shares) shared_memory = channel.shared_memory().lend();
    session.emplace(channel, batch, Buffers(memory, size, shared_memory.memory(), batch.limits.shared_bytes), *this);
    session->open();
  }

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
