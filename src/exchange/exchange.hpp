// SPDX-License-Identifier: BSD-3-Clause
// One exchange from its start to its end: the transfers of a batch, the copies on this process, and failures.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/session.hpp"
#include "exchange/workspace_pool.hpp"

namespace xredist::core {

/// A batch from its start to its end. While it is under way, its session carries it out.
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

  /// Returns the buffers that the exchange needs. The exchange can also do with fewer slots, at least one.
  const BufferSize& buffers() const { return batch_.buffers; }
  /// Takes a workspace out of `pool`, until release(). `size`: of the buffers. Throws std::bad_alloc, PeerFailed.
  void begin(WorkspacePool& pool, const BufferSize& size);

  /// Does all work that is possible now. `wait`: waits until there is some. Throws Disagreement, PeerFailed.
  void progress(bool wait);

  /// Sends the packets that other processes wait for, as far as there is room, so that this process may leave to
  /// compute.
  void hand_over() { session_->hand_over(); }

  /// Ends the exchange and tells the other processes. From now on, plans and arrays are not accessed.
  void fail(std::exception_ptr why) noexcept;

  bool prepared() const { return state_ == State::prepared; }
  bool under_way() const { return state_ == State::under_way; }
  bool over() const { return state_ == State::over; }
  bool failed() const { return failure_ != nullptr; }
  /// Returns whether a member of the batch is complete on this process: its part of B is there, and A is no longer
  /// read. The exchange must be under way.
  bool completed(int member) const { return session_->completed(member); }
  /// Throws the error with which the exchange has failed, if any.
  void check() const;

  /// Returns what has travelled. The exchange must be under way. Allocates.
  Waiting waiting() const { return session_->waiting(); }
  /// States the size of the exchange to the watch, unless the call has a size of its own.
  void state_size() const;

  const Channel* channel() const { return channel_; }

  /// Gives the workspace of an exchange that is over back to `pool`, if the exchange has begun.
  void release(WorkspacePool& pool) noexcept;

 private:
  enum class State { prepared, under_way, over };

  bool is_refused() const;
  void throw_if_withdrawn() const;

  State state_ = State::over;   // also before assign_numbers()
  std::exception_ptr failure_;  // nullptr unless the exchange has failed
  Index number_ = 0;
  Channel* channel_ = nullptr;  // nullptr after release()
  Batch batch_;
  std::vector<Peer> peers_;         // by rank
  std::optional<Session> session_;  // from begin() to release()
};

}  // namespace xredist::core
