// SPDX-License-Identifier: BSD-3-Clause
// The MPI requests of an exchange.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

/// The requests of an exchange in one array for MPI_Waitsome: three for each slot (arrival, reply, departure), one
/// for withdrawals, and one for each packet that has been handed over.
class Requests {
 public:
  enum Kind {
    arrival,      ///< of a packet, in an incoming slot
    reply,        ///< a permit, sent for an incoming slot
    departure,    ///< of an outgoing slot: its permit, or its packet on the way
    withdrawal,   ///< received from any process of the channel
    handed_over,  ///< a packet that was sent without a slot
  };
  struct Event {
    Kind kind;
    std::size_t slot;
    MPI_Status status;  ///< MPI_ERROR: MPI_SUCCESS, or why the request has failed
  };

  /// Starts without requests, for `slots` slots in each direction.
  void reset(std::size_t slots);

  /// Waits for the reply that was sent for a slot. Called when the slot is free again: then the request is complete, or
  /// will be soon. (All other requests of a free slot are complete.)
  void finish(Kind kind, std::size_t slot);

  /// Returns the request of a slot, which must be complete and which the caller posts at once.
  MPI_Request* next(Kind kind, std::size_t slot);

  /// Returns one more request, of a packet without a slot, which the caller posts at once.
  MPI_Request* additional();

  std::size_t slots() const { return slots_; }
  void cancel(Kind kind, std::size_t slot);

  /// Returns the requests that have been completed since the last call. `wait`: waits for at least one, if any is under
  /// way. `withdrawal`: the channel's receive of withdrawals, which is polled too. The result is valid until the next
  /// call.
  std::span<const Event> poll(bool wait, MPI_Request& withdrawal);

  /// Returns whether no request is under way.
  bool idle() const { return under_way_ == 0; }

 private:
  void resize(std::size_t all);
  std::size_t index(Kind kind, std::size_t slot) const { return static_cast<std::size_t>(kind) * slots_ + slot; }

  std::size_t slots_ = 0, under_way_ = 0;
  std::vector<MPI_Request> all_{MPI_REQUEST_NULL};
  std::vector<int> completed_;
  std::vector<MPI_Status> statuses_;
  std::vector<Event> events_;
};

}  // namespace xredist::core
