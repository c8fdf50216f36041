// SPDX-License-Identifier: BSD-3-Clause
// The loads that a process receives.
#pragma once

#include <vector>

#include "exchange/wire.hpp"

namespace xredist::core {

/// Receives loads in the order of the schedule, as many at a time as there are slots.
class Inbox {
 public:
  explicit Inbox(Wire& wire) : wire_(wire) {}

  /// Begins with a phase of the batch.
  void open(const Batch& batch, Index phase);

  /// Unpacks the load that has arrived and receives the next one. Throws Disagreement if its length is not the expected
  /// one.
  void arrived(std::size_t slot, const MPI_Status& status);

  /// Whether pieces of a job have not arrived yet in this phase.
  bool expects(const Job& job) const;

  /// Cancels all receives.
  void close();

 private:
  void receive(std::size_t slot);
  void permit();
  void take_notice(std::size_t slot);
  void check(const Load& load, int bytes) const;
  void unpack(const Load& load, const std::byte* from, Index bytes);

  Wire& wire_;
  Loads loads_;
  std::vector<Load> slots_;               // the load that each expects
  std::vector<std::size_t> unpermitted_;  // slots of loads by permit, in the order of the schedule
  Index permitted_ = 0;                   // bytes of loads that have been permitted and have not arrived
};

}  // namespace xredist::core
