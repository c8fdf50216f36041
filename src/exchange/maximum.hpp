// SPDX-License-Identifier: BSD-3-Clause
// A reduction over some of a channel's processes.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "exchange/channel.hpp"

namespace xredist::core {

/// The maximum number of values of one reduction.
inline constexpr std::size_t max_reduced = 32;

/// Reduces values to their maxima, like a non-blocking collective operation: start() does not wait, and the reduction
/// makes progress inside calls of the library (Queue::add). Messages travel along a binary tree of the processes. Like
/// an exchange, a reduction has a sequence number with each neighbour, so its messages never match those of others.
class Maximum {
 public:
  /// ranks: the processes, the same in the same order on all of them. The channel outlives the reduction under way.
  Maximum(std::span<const int> ranks, Channel& channel);
  Maximum(const Maximum&) = delete;
  Maximum& operator=(const Maximum&) = delete;

  /// Starts with the values of this process, at most max_reduced. The processes start their reductions and exchanges in
  /// the same order. The reduction before has ended. Allocates nothing.
  void start(std::span<const double> values);
  /// Tells the other processes, in place of start(), that this one gives up. Then the reduction ends on all of them.
  void refuse();
  /// Does what is possible now.
  void progress();
  /// Returns the number of reductions so far, the present one included.
  Index number() const { return number_; }
  /// Returns whether the reduction has been started and has not ended. A process whose reduction has ended has passed
  /// on everything that other processes need.
  bool under_way() const { return state_ == State::gathers || state_ == State::awaits || state_ == State::distributes; }
  /// Returns the maxima of the last reduction, which has ended; nothing if a process has refused to start. Then no
  /// process has the maxima. (If arguments differ between processes, or one lacks the memory to record a refusal
  /// (Ledger::refuse), some may have them and others not; exchanges on this channel fail then.)
  std::optional<std::span<const double>> result() const;

  const Channel& channel() const { return channel_; }

 private:
  // gathers: waits for the children's values; awaits: for the maxima, from the parent; distributes: for its own sends.
  enum class State { ended, gathers, awaits, distributes, failed };
  using Values = std::array<double, max_reduced>;
  struct Neighbour {
    int rank;
    Index number = 0;
    MPI_Request send = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;
    Values received{};
  };

  // The neighbours in the tree: no parent or one, and up to two children.
  std::span<Neighbour> parents() { return std::span(neighbours_).first(parents_); }
  std::span<Neighbour> children() { return std::span(neighbours_).subspan(parents_); }
  void take_numbers();
  void send_to(std::span<Neighbour> neighbours);
  bool is_refused() const;
  void release_sends();
  void fail() noexcept;

  Channel& channel_;
  std::vector<Neighbour> neighbours_{};  // the parents, then the children
  std::size_t parents_ = 0;
  Values values_{};  // the maxima of the processes that this one has heard of, itself included
  int count_ = 0;
  Index number_ = 0;
  State state_ = State::ended;
};

}  // namespace xredist::core
