// SPDX-License-Identifier: BSD-3-Clause
// One exchange from its start to its end: the transfers of a batch, the copies on this process, and failures.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/local_copy.hpp"
#include "exchange/workspace_pool.hpp"

namespace xredist::core {

/// Carries out a batch, round after round.
class Exchange {
 public:
  /// Takes the jobs of a batch; allocates. May be called again when the exchange is over. `jobs`: all jobs, also those
  /// in which this process takes no part. Their plans were made for the channel's communicator.
  void prepare(std::span<const Job> jobs, Channel& channel);
  /// Assigns sequence numbers, and this process's own number. From now on the exchange must begin or be withdrawn.
  void assign_numbers(Index own);
  /// Returns the number of the exchange in the order in which this process has started all its exchanges.
  Index number() const { return number_; }
  bool empty() const { return batch_.jobs.empty(); }

  /// Returns the buffers that the exchange needs. `early`: with one slot in each direction.
  BufferSize buffer_size(bool early) const;
  /// Takes a workspace, until release(). Throws std::bad_alloc, Withdrawn.
  void begin(WorkspacePool::Lease space, bool early);

  /// Does all work that is possible now. `wait`: waits until there is some. Throws Disagreement, Withdrawn.
  void progress(bool wait);

  /// Sends the packets that other processes wait for, as far as there is room, so that this process may leave to
  /// compute.
  void hand_over();

  /// Ends the exchange and tells the other processes. From now on, plans and arrays are not accessed.
  void fail(std::exception_ptr why) noexcept;

  bool prepared() const { return state_ == State::prepared; }
  bool under_way() const { return state_ == State::under_way; }
  bool over() const { return state_ == State::done || failed(); }
  bool failed() const { return state_ == State::failed; }
  /// Returns whether a member of the batch is complete on this process: its part of B is there, and A is no longer
  /// read. The exchange must be under way.
  bool completed(int member) const;
  /// Throws the error with which the exchange has failed, if any.
  void check() const;

  const Channel* channel() const { return channel_; }
  /// Returns the bytes of buffers if the exchange is under way and began early; otherwise 0. Early: an exchange that
  /// was started before it had not ended (Queue).
  Index early_bytes() const { return under_way() ? early_bytes_ : 0; }

  /// Returns the workspace of an exchange that is over. After a failure some of its requests may still be under way.
  WorkspacePool::Lease release();

 private:
  enum class State { prepared, under_way, done, failed };

  Workspace& space() { return space_.mapped(); }
  void open_round(Index round);
  bool is_refused() const;
  void demand_peers() const;
  bool copy_chunk();

  State state_ = State::done;
  std::exception_ptr failure_;
  Index number_ = 0;
  Channel* channel_ = nullptr;  // nullptr after release()
  Batch batch_;
  Index round_ = 0;
  Round merged_;                   // the current round, unless a plan has it
  std::vector<Peer> peers_;        // by rank
  std::vector<LocalCopy> copies_;  // the last one is carried out first
  WorkspacePool::Lease space_;     // empty unless under way
  Index early_bytes_ = 0;
};

}  // namespace xredist::core
