// Executes plans.
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

/// Some redistributions that are carried out together.
class Exchange {
 public:
  /// All that has to be known of them; allocates. May be called again when the last ones are over. `jobs`: of the whole
  /// batch, though this process may have a part in some only; the plans are of the channel's communicator.
  void prepare(std::span<const Job> jobs, Channel& channel, std::thread::id lane);
  /// Gives the exchange its numbers; it will be carried out, or withdrawn from.
  void count();
  bool empty() const { return batch_.jobs.empty(); }

  /// The least memory will do where an earlier exchange has its share already.
  Cut cut(bool overtaking) const;
  /// Has the workspace from here on, until it is released. Throws std::bad_alloc, Withdrawn.
  void begin(std::unique_ptr<Workspace> space, const Cut& cut);

  /// Does what there is to do. `wait`: and waits for something to do first, if there is nothing.
  /// Throws Disagreement, Withdrawn.
  void progress(bool wait);

  /// Ends the exchange: this process looks at its plans and arrays no more, and the others are told.
  void fail(std::exception_ptr why) noexcept;

  bool prepared() const { return state_ == State::prepared; }
  bool under_way() const { return state_ == State::under_way; }
  bool over() const { return state_ == State::done || state_ == State::failed; }
  /// Throws what the exchange has failed with, if it has.
  void check() const;

  /// Exchanges of one channel, or of one lane, are carried out one after the other.
  bool follows(const Exchange& other) const { return channel_ == other.channel_ || lane_ == other.lane_; }
  bool uses(const Channel& channel) const { return channel_ == &channel; }

  /// The workspace of an exchange that is over; after a failure some of its requests may still be under way.
  std::unique_ptr<Workspace> release();

 private:
  enum class State { prepared, under_way, done, failed };

  void open(Workspace& space, const Cut& cut);
  void listen();
  void demand_peers() const;
  bool copy_own();

  State state_ = State::done;
  std::exception_ptr failure_;
  std::thread::id lane_;
  Channel* channel_ = nullptr;
  Batch batch_;
  Index loads_ = 0;          // of its plans
  std::vector<Peer> peers_;  // by rank
  std::vector<OwnMessage> own_;
  std::unique_ptr<Workspace> space_;
};

}  // namespace xredist::core
