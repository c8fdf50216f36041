// SPDX-License-Identifier: BSD-3-Clause
// Plans that are carried out together.
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/own.hpp"
#include "exchange/workspace.hpp"

namespace xredist::core {

/// One or several redistributions that are carried out together.
class Exchange {
 public:
  /// Takes the jobs of a batch; allocates. Can be called again when the exchange is over. `jobs`: all of the batch,
  /// even those in which this process has no part. The plans were made for the channel's communicator.
  void prepare(std::span<const Job> jobs, Channel& channel, std::thread::id lane);
  /// Gives the exchange its numbers. From here on it is carried out or withdrawn from.
  void count();
  bool empty() const { return batch_.jobs.empty(); }

  /// The buffers that it needs. `overtaking`: an earlier exchange has buffers already, so the least must do.
  Cut cut(bool overtaking) const;
  /// Takes the workspace, until release(). Throws std::bad_alloc, Withdrawn.
  void begin(std::unique_ptr<Workspace> space, const Cut& cut);

  /// Does what can be done now. `wait`: waits until there is something to do. Throws Disagreement, Withdrawn.
  void progress(bool wait);

  /// Sends what other processes wait for, as far as there is room, so that this one may go off to compute.
  void hand_over();

  /// Ends the exchange and tells the other processes. Plans and arrays are not accessed any more.
  void fail(std::exception_ptr why) noexcept;

  bool prepared() const { return state_ == State::prepared; }
  bool under_way() const { return state_ == State::under_way; }
  bool over() const { return state_ == State::done || state_ == State::failed; }
  /// Whether a member of the batch is complete on this process: its part of B is, and nothing is read from A any more.
  /// The exchange is under way.
  bool completed(int member) const;
  /// Throws the error with which the exchange has failed, if it has.
  void check() const;

  /// Exchanges of one channel, or of one lane, are carried out one after the other.
  bool follows(const Exchange& other) const { return channel_ == other.channel_ || lane_ == other.lane_; }
  bool uses(const Channel& channel) const { return channel_ == &channel; }

  /// Gives back the workspace of an exchange that is over. After a failure some of its requests may be under way still.
  std::unique_ptr<Workspace> release();

 private:
  enum class State { prepared, under_way, done, failed };

  void enter(std::span<const Job> jobs);
  void open(Workspace& space, const Cut& cut);
  void open_phase(Index phase);
  void listen();
  void demand_peers() const;
  bool copy_own();

  State state_ = State::done;
  std::exception_ptr failure_;
  std::thread::id lane_;
  Channel* channel_ = nullptr;
  Batch batch_;
  Index phase_ = 0, last_phase_ = 0;  // this process has no part in later ones
  std::vector<Peer> peers_;           // by rank
  std::vector<OwnMessage> own_;
  std::unique_ptr<Workspace> space_;
};

}  // namespace xredist::core
