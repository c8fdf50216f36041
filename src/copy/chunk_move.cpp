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

// Returns the minimum number of periods, or of runs in a series, for which a chunk has its runs repeated rather than
// listed one by one. Loops over few runs are short: in a wide chunk, single runs are up to a fifth faster. A
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
    for (Index done = 0; done < count_;) {
      const Index left = count_ - done;
      done += in_trapezoid_ ? add_run(runs.next(left), done) : add_series(runs.next_series(left), done);
    }
  }

  // Enters each run of the whole periods once. `number`: the first element.
  void walk(const RunTable::Pair& pair, Index number) {
    TableRuns runs(pair, number);
    Index done = 0;
    while (done < count_ && !runs.at_period()) done += add_run(runs.next(count_ - done), done);
    const Index periods = (count_ - done) / pair.elements();
    if (periods >= min_repeats(columns_) && !in_trapezoid_) {
      done += add_periods(pair, runs.turn(), periods, done);
      runs.skip(periods);
    }
    while (done < count_) done += add_run(runs.next(count_ - done), done);
  }

 private:
  // The steps from one repetition to the next, on both sides.
  struct Steps {
    Index from, to;

    // Returns whether repetitions of `length` elements leave no gaps.
    bool contiguous(Index length) const { return from == length && to == length; }
  };

  // Returns the index that belongs to a place.
  static Index at(Place place, Index a, Index b, Index in_buffer) {
    return place == Place::a ? a : place == Place::b ? b : in_buffer;
  }
  Steps steps_of(Index a, Index b, Index length) const { return {at(from_, a, b, length), at(to_, a, b, length)}; }
  // `position`: of the run's first element among the elements of the side.
  CopyRun copy_of(const Run& run, Index position) const {
    return {at(from_, run.a, run.b, position), at(to_, run.a, run.b, position), run.length, run.k};
  }

  // Joins runs that continue each other on both sides. Repeated runs must have equal counts and steps.
  template <class SomeRun>
  void add(std::vector<SomeRun>& runs, const SomeRun& next) {
    if (!runs.empty() && continues(runs.back(), next) &&
        (!in_trapezoid_ || runs.back().k + runs.back().length == next.k))
      runs.back().length += next.length;
    else
      runs.push_back(next);
  }

  // The following enter runs, the first of which is at `position`. They return the number of elements.

  Index add_run(const Run& run, Index position) {
    add(list_.once, copy_of(run, position));
    return run.length;
  }

  // Enters the runs of a series: as one run if they are contiguous, repeated if that is faster, or else one by one.
  Index add_series(const RunSeries& series, Index position) {
    const auto& [run, count, step, step_a, step_b] = series;
    if (count == 1) return add_run(run, position);
    const Steps steps = steps_of(step_a, step_b, run.length);
    if (steps.contiguous(run.length)) return add_run({run.k, count * run.length, run.a, run.b}, position);
    const CopyRun first = copy_of(run, position);
    const bool listed = columns_ > max_narrow && run.length <= max_listed_length && count_ <= max_listed * run.length &&
                        count_ >= 2 * count * run.length;
    if (count >= min_repeats(columns_) && !listed)
      list_.repeated.push_back({first, count, steps.from, steps.to});
    else
      for (Index i = 0; i < count; ++i)
        add(list_.once, {first.from + i * steps.from, first.to + i * steps.to, run.length, first.k + i * step});
    return count * run.length;
  }

  // Enters the runs of whole periods: as one run if all are contiguous, or else repeated.
  Index add_periods(const RunTable::Pair& pair, Index turn, Index periods, Index position) {
    const Index elements = pair.elements();
    const Steps steps = steps_of(pair.step_a, pair.step_b, elements);
    if (steps.contiguous(elements)) {
      const Run first = pair.run(pair.entries.front(), turn);
      return add_run({first.k, periods * elements, first.a, first.b}, position);
    }
    for (const RunTable::TableRun& entry : pair.entries)
      add(list_.repeated, {copy_of(pair.run(entry, turn), position + entry.before), periods, steps.from, steps.to});
    return periods * elements;
  }

  CopyRuns& list_;
  Index count_, columns_;
  Place from_, to_;
  bool in_trapezoid_;
};

// Returns the first `bytes` bytes of each element, which has `size` bytes. Whole elements that follow each other are
// one part.
std::vector<ColumnPart> parts_of(const CopyRuns& elements, Index size, Index bytes) {
  std::vector<ColumnPart> parts;
  for_strips(elements, [&](Index from, Index, Index length) {
    const Index step = bytes < size ? 1 : length;
    for (Index k = from; k < from + length; k += step) parts.push_back({k * size, (k + step - 1) * size + bytes, 0});
  });
  std::ranges::sort(parts, {}, &ColumnPart::begin);
  for (std::size_t k = 1; k < parts.size(); ++k)
    parts[k].before = parts[k - 1].before + parts[k - 1].end - parts[k - 1].begin;
  return parts;
}

}  // namespace

ChunkMove::ChunkMove(const Redistribution& redistribution, const Chunk& chunk, Place from, Place to, MoveLists& lists,
                     const Strides& strides)
    : redistribution_(redistribution), chunk_(chunk), from_(from), to_(to), lists_(lists) {
  const Traffic& traffic = redistribution.traffic;
  list(lists.rows, traffic.rows, chunk.p.row, chunk.q.row, chunk.rows, chunk.cols.count);
  if (!is_product(traffic.cols)) list(lists.cols, traffic.cols, chunk.p.col, chunk.q.col, chunk.cols, 1);
  if (strides.a != nullptr || strides.b != nullptr) list_strided(strides);
}

// Lists the columns of arrays with strides by their offsets, and the rows unless these are columns of A.
void ChunkMove::list_strided(const Strides& strides) const {
  const auto side = [&](Place place) {
    return StridedSide{place, place == Place::a ? strides.a : place == Place::b ? strides.b : nullptr};
  };
  const StridedSide from = side(from_), to = side(to_);
  if (!(redistribution_.operation.transposed && from_ == Place::a))
    apply_strides(lists_.rows, from.rows(), to.rows(), lists_.strided);
  if (const auto* product = std::get_if<ProductCursor>(&chunk_.cols.cursor))
    list_product(lists_.cols, *product, chunk_.cols.count, from, to, lists_.product);
  else
    apply_strides(lists_.cols, from.col(0), to.col(0), lists_.strided);
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

void ChunkMove::for_diagonal(const std::function<void(Index)>& visit) const {
  core::for_diagonal(lists_.rows, lists_.cols, redistribution_.region, redistribution_.traffic.rows.n, visit);
}

void ChunkMove::transpose(Index bytes, const CopySides& sides, int threads) const {
  if (const Index units = redistribution_.units; units > 1 || bytes < 4)
    transpose_units({bytes, units}, lists_.rows, lists_.cols, sides, lists_.columns, threads);
  else
    transpose_runs(bytes, lists_.rows, lists_.cols, sides, lists_.columns, threads);
}

// A column of a transposed A is a row of the chunk, or several ones if an element has several units. The first and the
// last element may lack units.
void ChunkMove::for_columns_of_a(Index ld, const std::function<void(Index, std::span<const ColumnPart>)>& visit) const {
  const bool transposed = redistribution_.operation.transposed;
  const CopyRuns &along = transposed ? lists_.cols : lists_.rows, &across = transposed ? lists_.rows : lists_.cols;
  const Index unit = redistribution_.bytes_a(), units = transposed ? redistribution_.units : 1, size = units * unit;
  const std::vector<ColumnPart> whole = parts_of(along, size, size);
  for_strips(across, [&](Index from, Index, Index length) {
    for (Index at = from, next = at; at < from + length; at = next) {
      next = std::min(from + length, (at / units + 1) * units);
      const Index column = at / units * ld * size + at % units * unit;
      if (next - at == units)
        visit(column, whole);
      else
        visit(column, parts_of(along, size, (next - at) * unit));
    }
  });
}

Index elements_in(const Redistribution& redistribution, Coord p, Coord q, const Interval& rows, const Interval& cols) {
  const Index all = rows.length() * cols.length();
  if (redistribution.whole() || all == 0) return all;
  constexpr Index chunk_bytes = Index{256} << 10;
  MoveLists lists;
  Index count = 0;
  for (ChunkCursor at(redistribution, p, q, rows, cols, chunk_bytes, nullptr, true); !at.done(); at.advance())
    count += ChunkMove(redistribution, at.current(), Place::a, Place::packed, lists).elements();
  return count;
}

}  // namespace xredist::core
