// Loads that a process receives.
#pragma once

#include <vector>

#include "exchange/wire.hpp"

namespace xredist::core {

/// As many loads at a time as there are slots, in the order of the schedule.
class Inbox {
 public:
  explicit Inbox(Wire& wire) : wire_(wire) {}

  /// `buffer`: a piece for each slot.
  void open(const Batch& batch, std::size_t slots, std::byte* buffer);

  /// A receive has been completed. Throws Disagreement where it has another length than is due.
  void arrived(std::size_t slot, const MPI_Status& status);

  /// Lets nothing arrive any more.
  void close();

 private:
  std::byte* part(std::size_t slot) const { return buffer_ + static_cast<Index>(slot) * wire_.piece_bytes; }
  void receive(std::size_t slot);
  void permit();
  void take_notice(std::size_t slot);
  void check(const Load& load, int bytes) const;
  void unpack(const Load& load, const std::byte* from);

  Wire& wire_;
  Loads loads_;
  std::byte* buffer_ = nullptr;
  std::vector<Load> slots_;               // what each expects
  std::vector<std::size_t> unpermitted_;  // slots of loads by permit, in the order of the schedule
  Index permitted_ = 0;                   // bytes of those that have been, and are not here yet
};

}  // namespace xredist::core
