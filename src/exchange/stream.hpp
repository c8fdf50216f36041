// What a process sends, or receives, message by message.
#pragma once

#include <optional>
#include <vector>

#include "exchange/packing.hpp"
#include "exchange/plan.hpp"

namespace xredist {

/// One redistribution of an exchange: a plan and the local arrays, each looked at only where this
/// process has something to send or to receive.
struct Job {
  const Plan* plan;
  ConstArray a;
  Array b;
};

/// A piece of one job in a message, `offset` bytes after its beginning.
struct Slice {
  const Job* job;
  const Transfer* transfer;
  Piece piece;
  Index offset;
};

struct Load {
  int rank = 0;
  Way way = Way::plain;
  Index bytes = 0;  ///< at most: pieces of a trapezoid may be shorter
  std::vector<Slice> slices;
};

/// Cuts the messages of all jobs into loads of piece_bytes or less, in the order of the first plan's
/// schedule, then of the second's for pairs of processes that the first does not know ... What several
/// jobs have for one pair goes into the same loads. Sender and receiver cut alike, and choose the way alike.
class Stream {
 public:
  /// Starts anew; keeps its memory. The jobs stay where they are until the end.
  void start(const std::vector<Job>& jobs, bool sending);

  /// Fills `load`; false at the end.
  bool next(Load& load);

 private:
  struct Stop {
    const Job* job;
    const Transfer* transfer;
    std::size_t group;  // stops of one group go to one process
  };
  Index limit(const Transfer& transfer) const;
  bool find_piece();

  bool sending_ = false;
  Index limit_ = 0;
  std::vector<Stop> stops_;
  std::size_t at_ = 0;
  std::optional<Pieces> pieces_;  // of the stop
  std::optional<Piece> piece_;    // the next to go
};

}  // namespace xredist
