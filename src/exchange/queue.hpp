// The exchanges of a process.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"

namespace xredist::core {

class Turn;

/// What the process has started. Exchanges of one thread, or of one channel, are carried out one after the other in
/// the order of their start; where only one thread at a time may call MPI, all are. But where one is waited for, it
/// and all before it begin at once: what is under way may be held up by a process that waits for what comes after.
/// Finished exchanges that nobody holds are reused: repeated calls allocate nothing.
class Queue {
 public:
  Queue() = default;
  ~Queue();

  /// Allocates what an exchange of this cut needs, so that it cannot fail for lack of it later.
  void reserve(const Cut& cut);

  /// Starts an exchange of `jobs`, a whole batch: collective over the processes that have messages for each other, in
  /// the same order on all of them. If A and B overlap in memory, the own part is right and the rest is unspecified
  /// (ScaLAPACK's routine promises no more). Where this throws, nothing has been started, and the exchange has not
  /// been counted (withdraw). Returns nullptr where this process has no part in it.
  std::shared_ptr<Exchange> start(std::span<const Job> jobs, Channel& channel, Turn& turn);

  /// Makes progress; true if the exchange is over. Both throw what it has failed with.
  bool test(const Exchange& exchange);
  void wait(const Exchange& exchange, Turn& turn);

  /// Waits for an operation of MPI; what is under way goes on.
  void wait(MPI_Request& request, Turn& turn);

  bool empty() const { return exchanges_.empty() && !draining_; }
  /// Completes all that is under way on a channel, which is about to go.
  void leave(const Channel& channel, Turn& turn);

 private:
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
  std::shared_ptr<Exchange> last_;                    // that was done
  std::unique_ptr<Workspace> idle_;                   // a list of those that no exchange has
  std::unique_ptr<Workspace> draining_;               // likewise, where requests of a failed exchange are under way
};

/// For an exchange that this process was to start and cannot: counts it, and tells those who wait for it.
template <class PlanOf>
void withdraw(int plans, PlanOf plan_of, Channel& channel) noexcept {
  channel.ledger().count(plans, plan_of, [&](int rank, Index number) { channel.withdraw(rank, number, number); });
}

}  // namespace xredist::core
