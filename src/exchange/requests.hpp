// SPDX-License-Identifier: BSD-3-Clause
// The MPI requests of an exchange.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace xredist::core {

/// One request of every kind for each slot, one for withdrawals of other processes, and one for each load that has been
/// handed over, in one array for MPI_Waitsome.
class Requests {
 public:
  enum Kind {
    arrival,      ///< of a load or of a notice of one, in a slot for incoming loads
    reply,        ///< a permit or an answer, sent for such a slot
    departure,    ///< what an outgoing slot waits for: its permit, its load on the way, or the answer to its notice
    notice,       ///< of a load in shared memory, sent for such a slot
    withdrawal,   ///< received from any process of the channel
    handed_over,  ///< a load, sent without a slot
  };
  struct Event {
    Kind kind;
    std::size_t slot;
    MPI_Status status;
  };

  /// None under way, room for `slots` of each kind.
  void reset(std::size_t slots);

  /// The request of a slot, which the caller posts at once. Waits for the previous one: the slot has become free since
  /// that was posted, so it is complete or about to be.
  MPI_Request* fresh(Kind kind, std::size_t slot);

  /// One more request, of a load without a slot, which the caller posts at once.
  MPI_Request* additional();

  std::size_t slots() const { return slots_; }
  void cancel(Kind kind, std::size_t slot);
  MPI_Request& withdrawals() { return all_[at(withdrawal, 0)]; }

  /// The requests completed since the last call. `wait`: waits for at least one, if any is under way. The result is
  /// valid until the next call.
  std::span<const Event> poll(bool wait);

  /// Whether no request is under way, other than that of withdrawals.
  bool idle() const { return under_way_ == 0; }

 private:
  void resize(std::size_t all);
  std::size_t at(Kind kind, std::size_t slot) const { return static_cast<std::size_t>(kind) * slots_ + slot; }

  std::size_t slots_ = 0, under_way_ = 0;
  std::vector<MPI_Request> all_{MPI_REQUEST_NULL};
  std::vector<int> completed_;
  std::vector<MPI_Status> statuses_;
  std::vector<Event> events_;
};

}  // namespace xredist::core
