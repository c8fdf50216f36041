// What a process sends, or receives, load by load.
#pragma once

#include <optional>
#include <vector>

#include "plan/packing.hpp"
#include "plan/plan.hpp"

namespace xredist::core {

/// One redistribution of an exchange: a plan and the local arrays, each looked at only where this
/// process has something to send or to receive.
struct Job {
  const Plan* plan;
  ConstArray a;
  Array b;
};

/// Redistributions that are carried out together. Sender and receiver cut alike, so all but `jobs` is equal on all
/// processes, whether or not they have a part in each of the redistributions.
struct Batch {
  std::vector<Job> jobs;  ///< those in which this process has a part, in the order of the batch
  bool joined = false;    ///< there are several: what they have for one pair of processes travels together
  Cut cut{};              ///< that fits them all
};

/// The cut for plans that need not have been made under the same options.
Cut common(const Cut& x, const Cut& y);

/// A piece of one job in a load, `offset` bytes after its beginning.
struct LoadedPiece {
  const Job* job;
  Piece piece;
  Index offset;
};

struct Load {
  int rank = 0;
  Way way = Way::plain;
  Index bytes = 0;  ///< at most: pieces of a trapezoid may be shorter
  std::vector<LoadedPiece> pieces;
};

/// Cuts the messages of a batch into loads of piece_bytes or less, in the order of the first plan's
/// schedule, then of the second's for pairs of processes that the first does not know ...
/// Sender and receiver cut alike, and choose the way alike.
class Loads {
 public:
  /// Starts anew; keeps its memory. The batch stays where it is until the end.
  void start(const Batch& batch, bool sending);

  /// Fills `load`; false at the end.
  bool next(Load& load);

 private:
  struct JobMessage {
    const Job* job;
    const RoutedMessage* message;
    std::size_t group;  // stops of one group go to one process
  };
  Index limit(const RoutedMessage& message) const;
  bool find_piece();

  bool sending_ = false;
  Index limit_ = 0;
  std::vector<JobMessage> messages_;
  std::size_t at_ = 0;
  std::optional<Pieces> pieces_;  // of the stop
  std::optional<Piece> piece_;    // the next to go
};

}  // namespace xredist::core
