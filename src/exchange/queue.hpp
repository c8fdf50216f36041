// SPDX-License-Identifier: BSD-3-Clause
// The exchanges of a process.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"

namespace xredist::core {

/// The exchanges that the process has started. Exchanges of one lane, or of one channel, begin one after the other in
/// the order of their start. But if one is waited for, the exchanges before it begin early, with one slot each, because
/// an exchange that is under way may be held up by a process that waits for a later one. The buffers of early exchanges
/// together take at most the option `buffer`; beyond it, only the first unfinished exchange of each channel begins
/// early. Finished exchanges that nobody holds are used again, so that repeated calls allocate nothing.
class Queue {
 public:
  Queue() = default;
  ~Queue();

  /// Allocates the buffers of an exchange, which finds them if no other exchange is under way when it begins.
  void reserve(const BufferSize& size);

  /// Starts an exchange of `jobs`, a whole batch. Collective over the processes that have messages for each other,
  /// which start their exchanges in the same order. If A and B overlap in memory, the elements that stay on this
  /// process are right and the rest is unspecified (ScaLAPACK's routine promises no more). If this throws, nothing has
  /// been started and the exchange has no sequence numbers (see withdraw). Returns nullptr if this process has no part
  /// in the exchange.
  std::shared_ptr<Exchange> start(std::span<const Job> jobs, Channel& channel, std::thread::id lane);

  static constexpr int all = -1;
  /// Tests, or waits for, an exchange or a member of a batch, and makes progress. If a member is complete, packets that
  /// other processes wait for are handed over to MPI. Throws the error with which the exchange has failed.
  bool test(const Exchange& exchange, int member = all);
  void wait(const Exchange& exchange, Progress& progress, int member = all);

  /// Waits for a request of MPI, and makes progress.
  void wait(MPI_Request& request, Progress& progress);
  /// Makes progress with all exchanges.
  void advance();

  bool empty() const { return exchanges_.empty(); }
  /// Completes all exchanges of a channel, which is about to be freed.
  void leave(const Channel& channel, Progress& progress);

 private:
  void hand_over(const Exchange& exchange);
  void advance(bool wait);
  void begin_next();
  void begin_through(std::size_t last);
  void begin(Exchange& exchange, bool early);
  void retire();
  bool may_begin(std::size_t place) const;
  bool is_first_of_channel(std::size_t place) const;
  std::size_t place_of(const Exchange& exchange) const;
  std::unique_ptr<Workspace> workspace(Index bytes);
  void keep(std::unique_ptr<Workspace> space);
  void drain();

  std::vector<std::shared_ptr<Exchange>> exchanges_;  // in the order of their start
  std::shared_ptr<Exchange> last_;                    // the last that ended
  std::vector<std::unique_ptr<Workspace>> idle_;      // not used by an exchange
  std::vector<std::unique_ptr<Workspace>> draining_;  // with requests of failed exchanges under way
  std::size_t workspaces_ = 0, drained_ = 0;          // drained_: the next of draining_ to be polled
};

/// Counts an exchange that this process cannot start, and tells the processes that would wait for it.
template <class PlanOf>
void withdraw(int plans, PlanOf plan_of, Channel& channel) noexcept {
  channel.ledger().count(plans, plan_of, [&](int rank, Index number) { channel.withdraw(rank, number, false); });
}

}  // namespace xredist::core
