// SPDX-License-Identifier: BSD-3-Clause
#include "copy/chunk_move.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Elements, on average: shorter runs of rows are updated in a contiguous copy of the chunk, because a call for each
// would take longer than to bring them there and back. Example: between blocks of 4 rows and blocks of 64, a chunk of
// 2048 rows is copied, updated by one call and copied back; between blocks of 8 and 64, 256 calls a column update B.
constexpr Index min_updated_run = 8;

bool continues(const CopyRun& last, const CopyRun& next) {
  return last.from + last.length == next.from && last.to + last.length == next.to;
}

// Columns of a narrow chunk. The columns of a wide one share the list of its runs: 1024 runs are listed once for 32
// columns, that is, one entry for 32 copies.
constexpr Index max_narrow = 4;

// Returns the minimum number of periods, or of runs in a series, from which on a chunk has its runs repeated rather
// than listed one by one. Loops over few runs are short: in a wide chunk, single runs are up to a fifth faster. A
// single column of short runs in many periods takes a twentieth of the time that its listed runs take. Example: blocks
// of 3 and blocks of 5 on 2 processes each have the same runs every 30 rows. In a wide chunk of 7 whole periods the
// runs are listed one by one; from 8 on, those of one period are repeated.
Index min_repeats(Index columns) { return columns <= max_narrow ? 2 : 8; }

// Runs, and elements of a run. In a wide chunk with several series of short runs, the runs are listed one by one if the
// first cache holds the list. Example: blocks of 64 on 2 processes to blocks of 1 on 2. A chunk of 1024 rows has 32
// series of 32 runs of one row. As one list of 1024 runs of 32 bytes (32 KB), a column is one loop of 1024 copies
// rather than 32 loops of 32. Listed runs take 0.7 to 1 of the time of series, and series take 0.5 to 1 of the time of
// runs that are repeated in each period.
constexpr Index max_listed = 1024, max_listed_length = 16;

// Lists the runs of one side of a chunk. In a trapezoid, no run is repeated, and adjacent runs are adjacent in the
// matrix.
class Lister {
 public:
  // `count`: the elements of the side. `columns`: the number of columns that share the list.
  Lister(CopyRuns& list, Index count, Index columns, Place from, Place to, bool in_trapezoid)
      : list_(list), count_(count), columns_(columns), from_(from), to_(to), in_trapezoid_(in_trapezoid) {
    list_.once.clear();
    list_.repeated.clear();
  }

  // Enters each series once.
  void walk(Runs runs) {
    while (done_ < count_) {
      const Index left = count_ - done_;
      if (in_trapezoid_)
        add(copy_of(runs.next(left)));
      else
        add_series(runs.next_series(left));
    }
  }

  // Enters each run of the whole periods once. `number`: the first element.
  void walk(const RunTable::Pair& pair, Index number) {
    TableRuns runs(pair, number);
    while (done_ < count_ && !runs.at_period()) add(copy_of(runs.next(count_ - done_)));
    const Index periods = (count_ - done_) / pair.elements();
    if (periods >= min_repeats(columns_) && !in_trapezoid_) {
      add_periods(pair, runs.turn(), periods);
      runs.skip(periods);
    }
    while (done_ < count_) add(copy_of(runs.next(count_ - done_)));
  }

 private:
  // Returns the index that belongs to a place.
  static Index at(Place place, Index a, Index b, Index in_buffer) {
    return place == Place::a ? a : place == Place::b ? b : in_buffer;
  }

  CopyRun copy_of(const Run& run) const {
    return {at(from_, run.a, run.b, done_), at(to_, run.a, run.b, done_), run.length, run.k};
  }

  // Joins runs that continue each other on both sides.
  void add(const CopyRun& next) {
    done_ += next.length;
    if (!list_.once.empty()) {
      CopyRun& last = list_.once.back();
      if (continues(last, next) && (!in_trapezoid_ || last.k + last.length == next.k)) {
        last.length += next.length;
        return;
      }
    }
    list_.once.push_back(next);
  }

  // Enters the runs of a series: as one run if they are contiguous, repeated if that is faster, or else one by one.
  void add_series(const RunSeries& series) {
    const auto& [run, count, step, step_a, step_b] = series;
    const CopyRun first = copy_of(run);
    if (count == 1) return add(first);
    const Index from_step = at(from_, step_a, step_b, run.length), to_step = at(to_, step_a, step_b, run.length);
    const bool listed = columns_ > max_narrow && run.length <= max_listed_length && count_ <= max_listed * run.length &&
                        count_ >= 2 * count * run.length;
    if (run.length == from_step && run.length == to_step) {
      add({first.from, first.to, count * run.length, first.k});
    } else if (count >= min_repeats(columns_) && !listed) {
      list_.repeated.push_back({first, count, from_step, to_step});
      done_ += count * run.length;
    } else {
      for (Index i = 0; i < count; ++i)
        add({first.from + i * from_step, first.to + i * to_step, run.length, first.k + i * step});
    }
  }

  void add_periods(const RunTable::Pair& pair, Index turn, Index periods) {
    const Index elements = pair.elements(), begin = done_;
    const Index from_step = at(from_, pair.step_a, pair.step_b, elements);
    const Index to_step = at(to_, pair.step_a, pair.step_b, elements);
    for (const RunTable::TableRun& entry : pair.entries) {
      done_ = begin + entry.before;
      const CopyRun next = copy_of(pair.run(entry, turn));
      if (!list_.repeated.empty() && continues(list_.repeated.back(), next))
        list_.repeated.back().length += next.length;
      else
        list_.repeated.push_back({next, periods, from_step, to_step});
    }
    done_ = begin + periods * elements;
    const CopyRun first = list_.repeated.front();
    if (list_.repeated.size() > 1 || first.length != from_step || first.length != to_step) return;
    list_.repeated.clear();  // each run continues the run of the previous period
    done_ = begin;
    add({first.from, first.to, periods * elements, first.k});
  }

  CopyRuns& list_;
  Index count_, columns_;
  Place from_, to_;
  bool in_trapezoid_;
  Index done_ = 0;
};

}  // namespace

ChunkMove::ChunkMove(const Redistribution& redistribution, const Chunk& chunk, Place from, Place to, MoveLists& lists)
    : redistribution_(redistribution), chunk_(chunk), from_(from), to_(to), lists_(lists) {
  const Traffic& traffic = redistribution.traffic;
  list(lists.rows, traffic.rows, chunk.p.row, chunk.q.row, chunk.rows, chunk.cols.count);
  list(lists.cols, traffic.cols, chunk.p.col, chunk.q.col, chunk.cols, 1);
}

// In wide chunks, Runs finds a series in less time than the table takes for its runs.
void ChunkMove::list(CopyRuns& list, const Overlap& o, Index p, Index q, const ChunkSide& side, Index columns) const {
  Lister lister(list, side.count, columns, from_, to_, !chunk_.whole);
  const auto* tabulated = std::get_if<TableCursor>(&side.cursor);
  if (tabulated == nullptr) return lister.walk(std::get<Runs>(side.cursor));
  const RunTable::Pair pair = tabulated->pair();
  if (chunk_.whole && columns > max_narrow && tabulated->table->series() >= min_repeats(columns))
    lister.walk(Runs(o, p, q, index_of(pair, tabulated->number)));
  else
    lister.walk(pair, tabulated->number);
}

Index ChunkMove::elements() const {
  if (chunk_.whole) return chunk_.rows.count * chunk_.cols.count;
  return count_region(lists_.rows, lists_.cols, redistribution_.region, redistribution_.traffic.rows.n);
}

bool ChunkMove::has_long_runs() const {
  Index runs = std::ssize(lists_.rows.once);
  for (const RepeatedRun& repeated : lists_.rows.repeated) runs += repeated.count;
  return chunk_.rows.count >= runs * min_updated_run;
}

Index ChunkMove::run(const Move& move, const CopySides& sides, int threads) const {
  if (!chunk_.whole)
    return move_region(move, lists_.rows, lists_.cols, sides, redistribution_.region, redistribution_.traffic.rows.n,
                       from_, to_, threads);
  move_runs(move, lists_.rows, lists_.cols, sides, lists_.columns, threads);
  return chunk_.rows.count * chunk_.cols.count;
}

void ChunkMove::transpose(Index bytes, const CopySides& sides, int threads) const {
  transpose_runs(bytes, lists_.rows, lists_.cols, sides, lists_.columns, threads);
}

}  // namespace xredist::core
