// SPDX-License-Identifier: BSD-3-Clause
// The exchanges of a process.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"

namespace xredist::core {

class Turn;

/// The exchanges that the process has started. Exchanges of one lane, or of one channel, are carried out one after the
/// other in the order of their start. But if one is waited for, it and all before it begin at once, because an exchange
/// that is under way may be held up by a process that waits for a later one. Finished exchanges that nobody holds are
/// reused, so that repeated calls allocate nothing.
class Queue {
 public:
  Queue() = default;
  ~Queue();

  /// Allocates the buffers of an exchange of this cut, so that it cannot fail for lack of memory later.
  void reserve(const Cut& cut);

  /// Starts an exchange of `jobs`, a whole batch. Collective over the processes that have messages for each other,
  /// which start their exchanges in the same order. If A and B overlap in memory, the elements that stay on this
  /// process are right and the rest is unspecified (ScaLAPACK's routine promises no more). If this throws, nothing has
  /// been started and the exchange has not been counted (see withdraw). Returns nullptr if this process has no part in
  /// the exchange.
  std::shared_ptr<Exchange> start(std::span<const Job> jobs, Channel& channel, Turn& turn);

  /// Makes progress; returns true if the exchange is over. Both throw the error with which it has failed.
  bool test(const Exchange& exchange);
  void wait(const Exchange& exchange, Turn& turn);
  /// The same for a member of its batch. When it is complete, what is due to other processes is handed over to MPI.
  bool test(const Exchange& exchange, int member);
  void wait(const Exchange& exchange, int member, Turn& turn);

  /// Waits for an operation of MPI. Exchanges that are under way make progress meanwhile.
  void wait(MPI_Request& request, Turn& turn);

  bool empty() const { return exchanges_.empty() && !draining_; }
  /// Completes all exchanges of a channel, which is about to be freed.
  void leave(const Channel& channel, Turn& turn);

 private:
  bool test_until(const Exchange& exchange, auto done);
  void wait_until(const Exchange& exchange, auto done, Turn& turn);
  void hand_over(const Exchange& exchange);
  void advance(bool wait);
  void begin();
  void begin(Exchange& exchange, bool overtaking);
  void retire();
  bool may_begin(std::size_t place) const;
  void begin_through(std::size_t last);
  std::size_t place_of(const Exchange& exchange) const;
  std::ptrdiff_t under_way() const;
  std::unique_ptr<Workspace> workspace(Index bytes);
  void keep(std::unique_ptr<Workspace> space);
  void drain();

  std::vector<std::shared_ptr<Exchange>> exchanges_;  // in the order of their start
  std::shared_ptr<Exchange> last_;                    // the last that ended
  std::unique_ptr<Workspace> idle_;                   // a list of workspaces that no exchange has
  std::unique_ptr<Workspace> draining_;               // and of those that have requests of failed exchanges
};

/// Counts an exchange that this process cannot start, and tells the processes that would wait for it.
template <class PlanOf>
void withdraw(int plans, PlanOf plan_of, Channel& channel) noexcept {
  channel.ledger().count(plans, plan_of, [&](int rank, Index number) { channel.withdraw(rank, number, number); });
}

}  // namespace xredist::core
