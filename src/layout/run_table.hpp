// SPDX-License-Identifier: BSD-3-Clause
// The runs of one process with all others along an axis, tabulated for one period.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/overlap.hpp"

namespace xredist::core {

/// The runs of one process with every process of the other side. The pattern of owners repeats after a period (Desprez
/// et al. 1998, section 4.1), and so do the runs of a pair of processes: in the next period their local indices are
/// greater by a constant. So the table contains the runs of one period, or of the whole axis if that is shorter or not
/// CYCLIC. A table has nothing for a process without runs, so its bytes do not depend on the number of processes. The
/// elements of a pair are numbered 0, 1 ... in ascending order. Runs are cut at the end of a period.
class RunTable {
 public:
  /// Maximum number of runs in a table, to which the numbers of intervals of both sides are added: 64 KB. With more
  /// runs the table stays empty, and Runs finds them.
  static constexpr std::ptrdiff_t max_runs = 2048;

  /// Minimum number of runs in a series for which Runs is faster than the table. The table then stays empty.
  static constexpr Index min_long_series = 128;

  /// A run, and the elements of the pair in the period before it. Numbers within a period have 32 bits because plans
  /// keep tables.
  struct TableRun {
    Index a, b;
    std::uint32_t k, length, before;
  };

  /// The runs of a pair in a period. In period t, k is greater by t * period, a by t * step_a, b by t * step_b.
  struct Pair {
    std::span<const TableRun> entries;
    Index period, step_a, step_b;

    Index elements() const { return Index{entries.back().before} + entries.back().length; }
    Run run(const TableRun& entry, Index turn) const {
      return {entry.k + turn * period, entry.length, entry.a + turn * step_a, entry.b + turn * step_b};
    }
  };

  /// Makes an empty table.
  RunTable() = default;
  /// Tabulates the runs of process `own` of A if `sending`, otherwise of B. If `joined`, runs of intervals that are
  /// contiguous on both sides become one run, whatever lies between them in the matrix; its k is that of the first
  /// element. So `joined` is for exchanges that move all elements of the submatrix.
  RunTable(const Overlap& o, Index own, bool sending, bool joined = false);

  bool empty() const { return runs_.empty(); }
  /// Returns the bytes of the table.
  Index bytes() const;
  /// Returns a lower bound on the number of runs in the series that Runs would find; 0 if an axis is not CYCLIC.
  Index series() const { return series_; }
  /// Returns the runs with a process of the other side that shares elements with `own`.
  Pair pair(Index peer) const;

 private:
  std::vector<TableRun> runs_;         // of one peer after the other, ascending
  std::vector<std::int32_t> peers_;    // that have runs, ascending
  std::vector<std::uint32_t> begins_;  // index of the first run of each peer, and the number of all runs
  Index series_ = 0, period_ = 0, step_a_ = 0, step_b_ = 0;
};

/// Enumerates the runs of a pair by its table.
class TableRuns {
 public:
  /// Starts at element number `first` of the pair.
  TableRuns(const RunTable::Pair& pair, Index first);

  /// Returns the next run, cut to `limit` elements. There is no end: the caller knows how many elements the pair has.
  Run next(Index limit);

  /// Returns whether the next run is the first one of a period.
  bool at_period() const { return index_ == 0 && offset_ == 0; }
  /// Skips whole periods.
  void skip(Index periods) { turn_ += periods; }
  /// Returns the number of the current period.
  Index turn() const { return turn_; }

 private:
  RunTable::Pair pair_;
  Index turn_ = 0;
  std::size_t index_ = 0;  // of the run
  Index offset_ = 0;       // in the run
};

/// Returns the index in the submatrix of element `number` of the pair.
inline Index index_of(const RunTable::Pair& pair, Index number) { return TableRuns(pair, number).next(1).k; }

}  // namespace xredist::core
