// SPDX-License-Identifier: BSD-3-Clause
// The memory through which the packets of an exchange pass.
#pragma once

#include <cstddef>

#include "exchange/shared_memory.hpp"
#include "plan/buffers.hpp"

namespace xredist::core {

/// The buffers of an exchange: incoming slots, outgoing slots and store, in this order.
struct Buffers {
  /// `memory`: of size.bytes(). `loan`: of shared memory, which has outgoing slots of `shared` bytes; may be empty.
  Buffers(std::byte* memory, const BufferSize& size, const SharedMemory::Loan& loan, Index shared)
      : packet_bytes(size.packet_bytes),
        shared_bytes(shared),
        flags(loan.flags()),
        store(memory + Index{2} * size.slots * size.packet_bytes),
        incoming_(memory),
        outgoing_(memory + size.slots * size.packet_bytes),
        shared_(loan.memory()) {}

  const Index packet_bytes, shared_bytes;  ///< sizes of slots, and of slots in shared memory
  SharedMemory::Flags* const flags;        ///< of the slots in shared memory, or nullptr
  std::byte* const store;                  ///< forwarded messages between rounds

  bool in_shared_memory() const { return shared_ != nullptr; }
  std::byte* incoming_slot(std::size_t slot) const { return incoming_ + static_cast<Index>(slot) * packet_bytes; }
  std::byte* outgoing_slot(std::size_t slot) const { return outgoing_ + static_cast<Index>(slot) * packet_bytes; }
  std::byte* shared_slot(std::size_t slot) const { return shared_ + static_cast<Index>(slot) * shared_bytes; }

 private:
  std::byte *const incoming_, *const outgoing_, *const shared_;
};

}  // namespace xredist::core
