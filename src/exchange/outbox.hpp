// SPDX-License-Identifier: BSD-3-Clause
// The loads that a process sends.
#pragma once

#include <memory>
#include <vector>

#include "exchange/wire.hpp"

namespace xredist::core {

/// Sends loads in the order of the schedule, as many at a time as there are slots.
class Outbox {
 public:
  explicit Outbox(Wire& wire) : wire_(wire) {}

  /// Begins with a phase of the batch.
  void open(const Batch& batch, Index phase);

  /// The request that the slot waited for has been completed.
  void departed(std::size_t slot);

  /// Sends loads for which no slot is free, so that this process does not hold up the others while it makes no calls:
  /// in order, up to the first one by permit, as far as `room` bytes hold them. Without memory they wait for slots.
  void hand_over(Index room);
  /// One of these has been sent.
  void left();

  /// Whether pieces of a job have not been packed yet in this phase.
  bool has_more_of(const Job& job) const { return loads_.has_more_of(job); }

  /// Cancels the receives of permits. Loads that are being sent go on, and so do the receives of answers: until an
  /// answer has come, the neighbour may read the shared memory.
  void close();
  /// After close(): cancels the receives of answers from processes that have withdrawn from the exchange.
  void forget_withdrawn();

 private:
  enum class State {
    free,
    waiting,    // for the receiver's permit
    permitted,  // and waiting for its turn
    leaving,    // in a message
    shown,      // in shared memory, until the receiver has unpacked it
  };
  struct Slot {
    State state = State::free;
    Load load;
    int bytes = 0;  // as packed
    int place = 0;  // the receiver's slot, which its permit names
    Notice notice{};
  };

  void send(std::size_t slot);
  void show(std::size_t slot);
  void ask(std::size_t slot);
  void launch();
  void post(const Load& load, const std::byte* from, int bytes, MPI_Request* request);
  int pack(const Load& load, std::byte* to);

  Wire& wire_;
  Loads loads_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> unsent_;  // slots of loads by permit, in the order of the schedule
  Index launched_ = 0;               // bytes of loads by permit that are leaving
  struct {
    std::unique_ptr<std::byte[]> memory;
    Index allocated = 0, used = 0;  // bytes; used anew from the beginning when all loads have left
    Index loads = 0;
    Load load;  // the last of them
  } handed_over_;
};

}  // namespace xredist::core
