// SPDX-License-Identifier: BSD-3-Clause
// The runs of one process with all others along an axis, written down for one period.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/overlap.hpp"

namespace xredist::core {

/// The pattern of owners repeats after a period (Desprez et al. 1998, section 4.1), and with it the runs of every pair
/// of processes: in the next period their local indices are greater by a constant. So the runs of one period, or of the
/// whole axis if that is shorter, tell all of them by additions. The elements of a pair are numbered 0, 1 ... in
/// ascending order. Runs are cut at the end of a period. Of intervals, all runs are written down.
class RunTable {
 public:
  /// The table stays empty if there are more runs than this and the intervals of both sides: then Runs finds them one
  /// by one.
  static constexpr std::size_t most_runs = 2048;

  /// In 32 bits each, because plans keep tables; a and b count from first_a and first_b.
  struct TableRun {
    std::uint32_t k, length, a, b;
    std::uint32_t before;  ///< elements of the same pair in the period before this run
  };

  /// All runs of a pair in a period. In period t, k is greater by t * period, a by t * step_a, b by t * step_b.
  struct Pair {
    std::span<const TableRun> entries;
    Index period, step_a, step_b;
    Index first_a, first_b;  ///< local indices

    Index elements() const { return Index{entries.back().before} + entries.back().length; }
    Run run(const TableRun& entry, Index turn) const {
      return {entry.k + turn * period, entry.length, first_a + entry.a + turn * step_a,
              first_b + entry.b + turn * step_b};
    }
  };

  /// Empty.
  RunTable() = default;
  /// The runs of process `own` of A (`sending`), or of B, with every process of the other side. Where all elements
  /// move, runs of intervals that continue each other on both sides may be `joined`, whatever lies between them in the
  /// matrix: k is then that of the first.
  RunTable(const Overlap& o, Index own, bool sending, bool joined = false);

  bool empty() const { return entries_.empty(); }
  /// Of a process of the other side with which `own` shares elements.
  Pair pair(Index peer) const;

 private:
  struct Found;
  void fill(const std::vector<Found>& found, Index peers);
  void join();

  std::vector<TableRun> entries_;    // by peer, then ascending
  std::vector<std::size_t> begins_;  // of each peer's entries, and the end of the last one's
  Index period_ = 0, step_a_ = 0, step_b_ = 0, first_a_ = 0, first_b_ = 0;
};

/// Enumerates the runs of a pair, by its table.
class TableRuns {
 public:
  /// Starts with element number `first` of the pair.
  TableRuns(const RunTable::Pair& pair, Index first);

  /// The next run, cut to `most` elements. There is no end: the caller knows how many elements the pair has.
  Run next(Index most);

  /// Whether the next run is the first one of a period.
  bool at_period() const { return entry_ == 0 && offset_ == 0; }
  /// Goes to the same place, so many periods later.
  void skip(Index periods) { turn_ += periods; }
  Index turn() const { return turn_; }

 private:
  RunTable::Pair pair_;
  Index turn_;
  std::size_t entry_;
  Index offset_;
};

}  // namespace xredist::core
