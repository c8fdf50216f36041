// SPDX-License-Identifier: BSD-3-Clause
// The packets under way in one direction.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "exchange/wire.hpp"
#include "plan/packets.hpp"

namespace xredist::core {

enum class SlotState {
  free,       ///< without a packet
  waiting,    ///< outgoing: the receiver has given no permit yet; incoming: this process has given no permit yet
  permitted,  ///< outgoing: has the permit, and waits for its turn
  moving,     ///< on its way in a message, or may be
  shown,      ///< outgoing: in shared memory, until the receiver has unpacked the packet
  expected,   ///< incoming: a neighbour shows the packet or sends it, and this process has posted no receive for it
};

struct Slot {
  SlotState state = SlotState::free;
  Packet packet;
  int bytes = 0;               ///< outgoing: of the packed packet
  int receivers_slot = 0;      ///< outgoing: named by the permit
  Index number = 0;            ///< incoming, without a permit: of the packet among those of its sender, from 0
  std::uint64_t identity = 0;  ///< incoming: of a packet that a neighbour may show
  const SharedMemory::Segment* segment = nullptr;  ///< incoming: of the neighbour that may show the packet
};

/// The slots of a sender or a receiver. Packets come in the order of the schedule, as many at a time as there are
/// slots.
class Slots {
 public:
  /// Starts a round.
  void open(const Batch& batch, std::span<const Transfer> transfers, TransferList list, std::size_t count) {
    count_ = awaiting_ = 0;  // until all memory is there
    packets_.open(batch, transfers, list);
    if (slots_.size() < count) slots_.resize(count);
    for (Slot& slot : slots_) slot.state = SlotState::free;
    queue_.clear();
    queue_.reserve(count);
    count_ = count;
    window_ = batch.window;
    in_window_ = 0;
  }

  /// Forgets the slots of an earlier exchange.
  void clear() { count_ = awaiting_ = 0; }

  std::size_t count() const { return count_; }
  Slot& operator[](std::size_t slot) { return slots_[slot]; }
  const Slot& operator[](std::size_t slot) const { return slots_[slot]; }
  /// Returns the packets that have no slot yet.
  PacketCursor& packets() { return packets_; }
  const PacketCursor& packets() const { return packets_; }

  /// Loads a slot with the next packet. Returns false, and leaves the slot free, if there is no more packet.
  bool load(std::size_t slot) {
    slots_[slot].state = SlotState::free;
    if (packets_.done()) return false;
    packets_.take(slots_[slot].packet);
    return true;
  }

  /// Waits for a flag of shared memory, in state `shown` or `expected`, until settle().
  void await_flag(std::size_t slot, SlotState state) {
    slots_[slot].state = state;
    ++awaiting_;
  }
  /// Frees a slot that has waited for a flag.
  void settle(std::size_t slot) {
    slots_[slot].state = SlotState::free;
    --awaiting_;
  }
  /// Returns the number of slots that wait for flags.
  std::size_t awaiting() const { return awaiting_; }

  /// Queues a slot whose packet travels by permit.
  void queue(std::size_t slot) {
    slots_[slot].state = SlotState::waiting;
    queue_.push_back(slot);
  }
  /// Returns the next queued slot, now moving, if it is in state `ready` and the window has room for its packet. Slots
  /// leave the queue strictly in the order of the schedule.
  std::optional<std::size_t> admit(SlotState ready) {
    if (queue_.empty()) return std::nullopt;
    const std::size_t slot = queue_.front();
    if (slots_[slot].state != ready || in_window_ + slots_[slot].packet.bytes > window_) return std::nullopt;
    in_window_ += slots_[slot].packet.bytes;
    slots_[slot].state = SlotState::moving;
    queue_.erase(queue_.begin());
    return slot;
  }
  /// Takes the packet of a slot out of the window.
  void leave_window(std::size_t slot) { in_window_ -= slots_[slot].packet.bytes; }

  /// Returns whether a slot, or a later packet, has chunks of a job.
  bool has(int job) const {
    const auto of_job = [&](const Chunk& chunk) { return chunk.job == job; };
    for (std::size_t slot = 0; slot < count_; ++slot)
      if (slots_[slot].state != SlotState::free && std::ranges::any_of(slots_[slot].packet.chunks, of_job)) return true;
    return packets_.has_more_of(job);
  }

 private:
  PacketCursor packets_;  // of the round
  std::size_t count_ = 0;
  std::size_t awaiting_ = 0;
  std::vector<Slot> slots_;         // count_ of them are in use
  std::vector<std::size_t> queue_;  // slots by permit that are not moving yet, in the order of the schedule
  Index window_ = 0;                // maximum number of bytes by permit under way at once
  Index in_window_ = 0;             // bytes by permit that are under way
};

}  // namespace xredist::core
