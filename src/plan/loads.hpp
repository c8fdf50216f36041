// SPDX-License-Identifier: BSD-3-Clause
// What a process sends or receives, load by load.
#pragma once

#include <optional>
#include <vector>

#include "plan/packing.hpp"
#include "plan/plan.hpp"

namespace xredist::core {

/// One redistribution of an exchange: a plan and the local arrays. An array is accessed only if this process has
/// something to send from it or to receive into it.
struct Job {
  const Plan* plan;
  ConstArray a;
  Array b;
  Scalars scalars{};
  int member = 0;    ///< number, from 0, of the plan in the batch to which it belongs
  Index phase = 0;   ///< of the batch, in which the first hop is carried out; others are in the next phases
  Index stored = 0;  ///< where what is between two hops begins, in bytes
};

/// Redistributions that are carried out together. `joined` and `cut` are equal on all processes, whether or not a
/// process takes part in each of the redistributions: sender and receiver have to cut alike.
struct Batch {
  std::vector<Job> jobs;  ///< those in which this process takes part, in the order of the batch
  bool joined = false;    ///< there are several, and their messages between the same two processes travel together
  Cut cut{};              ///< common to all of them
};

/// A cut that fits both plans, which may have been made under different options.
Cut common(const Cut& x, const Cut& y);

/// A piece of one job in a load, `offset` bytes after its beginning.
struct LoadedPiece {
  const Job* job;
  Piece piece;
  Index offset;
  Index stored = RoutedMessage::not_stored;  ///< else where it is kept between two hops, in bytes

  Index bytes() const { return piece.rows.count * piece.cols.count * job->plan->redistribution.bytes; }
};

struct Load {
  int rank = 0;
  Way way = Way::plain;
  Index bytes = 0;  ///< an upper bound: pieces of a trapezoid may hold fewer elements
  std::vector<LoadedPiece> pieces;
};

/// Phases that a plan takes: hop after hop, panel after panel.
inline Index phases_of(const Plan& plan) { return std::ssize(plan.hops) * plan.route.panels; }

/// Cuts the messages of one phase of a batch into loads of at most piece_bytes. Loads come in the order of the first
/// plan's schedule, then in that of the second one, and so on. A message travels together with the one of an earlier
/// plan for the same process, as long as these do not fill a load: where messages are long, plans are carried out one
/// after the other. A sender and its receiver cut alike and choose the same way, each for itself.
class Loads {
 public:
  /// Starts anew and keeps the memory it has. The batch must stay where it is until the last load.
  void start(const Batch& batch, Index phase, bool sending);

  /// The message to which the next load belongs, or nullptr at the end.
  const RoutedMessage* upcoming() { return find_piece() ? messages_[at_].message : nullptr; }

  /// Fills `load`; false at the end.
  bool next(Load& load);

  /// Whether there are more loads with pieces of this job, which is one of the batch.
  bool has_more_of(const Job& job) const;

 private:
  struct JobMessage {
    const Job* job;
    const RoutedMessage* message;
    std::size_t group;  // messages of one group travel together, to or from one process
    Panel panel;
  };
  Pieces pieces_of(const JobMessage& message) const;
  bool find_piece();

  bool sending_ = false;
  Cut cut_{};
  std::vector<JobMessage> messages_;
  std::size_t at_ = 0;
  std::optional<Pieces> pieces_;  // of message at_
  std::optional<Piece> piece_;    // the next one, if it has been found already
  Index stored_ = 0;              // where the next one is kept, if its message is
};

}  // namespace xredist::core
