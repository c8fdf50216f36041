// SPDX-License-Identifier: BSD-3-Clause
// The order in which the exchanges of a process begin, and their progress.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <thread>

#include "exchange/exchange.hpp"
#include "exchange/start_order.hpp"
#include "exchange/workspace_pool.hpp"

namespace xredist::core {

/// The exchanges that the process has started. Exchanges of one lane, or of one channel, begin one after the other in
/// the order of their start. While the program waits for an exchange, all exchanges before it begin *early*, with one
/// slot each: two processes that wait for different exchanges would otherwise block each other. The buffers of early
/// exchanges together take at most the option `buffer`; beyond it, only the first unfinished exchange of each channel
/// begins early. Finished exchanges that nobody holds are used again, so that repeated calls allocate nothing.
class Queue {
 public:
  /// Allocates the buffers of an exchange, which finds them if no other exchange is under way when it begins.
  void reserve(const BufferSize& size);

  /// Starts an exchange of `jobs`, a whole batch. Collective over the processes that have messages for each other,
  /// which start their exchanges in the same order. If A and B overlap in memory, the elements that stay on this
  /// process are right and the rest is unspecified (ScaLAPACK's routine promises no more). If this throws, nothing has
  /// been started and the exchange has no sequence numbers (see Channel::withdraw). Returns nullptr if this process has
  /// no part in the exchange.
  std::shared_ptr<Exchange> start(std::span<const Job> jobs, Channel& channel, std::thread::id lane);

  static constexpr int all = -1;
  /// Tests, or waits for, an exchange or a member of a batch, and makes progress. If a member is complete, packets that
  /// other processes wait for are handed over to MPI. Throws the error with which the exchange has failed.
  bool test(Exchange& exchange, int member = all);
  void wait(Exchange& exchange, Progress& progress, int member = all);

  /// Waits for a request of MPI, and makes progress.
  void wait(MPI_Request& request, Progress& progress);
  /// Makes progress with everything that is under way, and begins what is not.
  void advance();
  /// Returns the bytes of the buffers of all exchanges that have begun early.
  Index early_bytes() const;

  bool empty() const { return prepared_.empty() && under_way_.empty(); }
  /// Completes everything that is under way on a channel, which is about to be freed.
  void leave(const Channel& channel, Progress& progress);

 private:
  struct Entry : StartOrder::Place {
    std::shared_ptr<Exchange> exchange{};
    // While the exchange is unfinished:
    std::list<Entry>::iterator self{};  // in prepared_ or under_way_
    Index early_bytes = 0;              // of its buffers, if it has begun early
  };

  static Entry& entry_at(StartOrder::Place& place) { return static_cast<Entry&>(place); }
  void begin(Entry& entry, bool early);
  // Begins, early, the exchanges up to a number that have not begun. Mostly there are none: no function is called.
  void begin_through(Index number) {
    if (!prepared_.empty()) begin_early(number);
  }
  void begin_early(Index number);
  void hand_over(Exchange& exchange);
  void wait_watched(Exchange& exchange, Progress& progress, int member);
  void tell_watch(const Exchange& exchange, const InPhase& phase) const;
  [[gnu::always_inline]] inline void advance(bool wait);
  void retire();
  template <class Done>
  void advance_until(Done done, Progress& progress) {
    while (!done()) {
      advance();
      progress.pause();
    }
  }

  std::list<Entry> prepared_;   // in the order of their start
  std::list<Entry> under_way_;  // in the order in which they have begun
  std::list<Entry> spare_;      // at most one: the memory of the exchange that has ended last
  StartOrder order_;
  Index started_ = 0;
  WorkspacePool pool_;
};

}  // namespace xredist::core
