// SPDX-License-Identifier: BSD-3-Clause
#include "copy/packer.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Bytes of a process's part of B: from this size on, stores bypass the caches, which the part would not fit into. Whole
// calls take 0.75 to 0.97 of the time at 32 MB a process.
constexpr Index min_streamed_part = Index{8} << 20;

bool streams_to_b(const Redistribution& redistribution) {
  const Traffic& t = redistribution.traffic;
  return t.rows.n / t.rows.b.procs * (t.cols.n / t.cols.b.procs) * redistribution.bytes_b() >= min_streamed_part;
}

// Elements, on average: shorter runs of rows are updated in a contiguous copy of the chunk, because a call for each
// would take longer than to bring them there and back.
constexpr Index min_updated_run = 8;

bool continues(const CopyRun& last, const CopyRun& next) {
  return last.from + last.length == next.from && last.to + last.length == next.to;
}

// Columns of a narrow chunk. The columns of a wide one share the list of its runs.
constexpr Index max_narrow = 4;

// Returns from how many periods, or runs of a series, on a chunk has its runs repeated rather than listed one by one.
// Loops over few runs are short: in a wide chunk, single runs are up to a fifth faster. A single column of short runs
// in many periods takes a twentieth of the time that its listed runs take.
Index min_repeats(Index columns) { return columns <= max_narrow ? 2 : 8; }

// In a wide chunk with several series of short runs, the runs are listed one by one if the first cache holds the list
// (32 KB): 0.7 to 1 of the time of series, which take 0.5 to 1 of the time of runs that are repeated in each period.
constexpr Index max_listed = 1024, max_listed_length = 16;

// Returns whether unpacking does more than copy.
bool updates(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return operation.carried(redistribution.bytes) != operation.b || operation.conjugated || scalars.alpha != 1.0 ||
         scalars.beta != 0.0;
}

}  // namespace

Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation) {
  const Axis &rows = operation.transposed ? a.cols : a.rows, &cols = operation.transposed ? a.rows : a.cols;
  return {{Overlap(rows, b.rows, m), Overlap(cols, b.cols, n)},
          region,
          bytes_of(operation.carried(bytes), bytes),
          operation};
}

bool is_copy(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return !operation.transposed && !operation.narrows(redistribution.bytes) && !updates(redistribution, scalars);
}

// Lists the runs of one side of a chunk. In a trapezoid, no run is repeated, and adjacent runs are adjacent in the
// matrix.
class Packer::Lister {
 public:
  // `columns`: the number of columns that share the list.
  Lister(CopyRuns& list, const ChunkSide& side, Index columns, Place from, Place to, bool in_trapezoid)
      : list_(list), side_(side), columns_(columns), from_(from), to_(to), in_trapezoid_(in_trapezoid) {
    list_.once.clear();
    list_.repeated.clear();
  }

  // Enters each series once.
  void walk(Runs runs) {
    while (done_ < side_.count) {
      const Index left = side_.count - done_;
      const Run run = runs.next(left);
      if (in_trapezoid_ || run.length == left)
        add(copy_of(run));
      else
        add_series(runs.series_from(run, left));
    }
  }

  // Enters each run of the whole periods once.
  void walk(const RunTable::Pair& pair) {
    TableRuns runs(pair, side_.begin);
    while (done_ < side_.count && !runs.at_period()) add(copy_of(runs.next(side_.count - done_)));
    const Index periods = (side_.count - done_) / pair.elements();
    if (periods >= min_repeats(columns_) && !in_trapezoid_) {
      add_periods(pair, runs.turn(), periods);
      runs.skip(periods);
    }
    while (done_ < side_.count) add(copy_of(runs.next(side_.count - done_)));
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
    const bool listed = columns_ > max_narrow && run.length <= max_listed_length &&
                        side_.count <= max_listed * run.length && side_.count >= 2 * count * run.length;
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
  const ChunkSide& side_;
  Index columns_;
  Place from_, to_;
  bool in_trapezoid_;
  Index done_ = 0;
};

void Packer::list(const Redistribution& redistribution, const Chunk& chunk, Place from, Place to) {
  const auto list_side = [&](CopyRuns& list, const Overlap& o, Index p, Index q, const ChunkSide& side, Index columns) {
    Lister lister(list, side, columns, from, to, !chunk.whole);
    if (side.table == nullptr) return lister.walk(Runs(o, p, q, side.first));
    const RunTable::Pair pair = side.table->pair(side.peer);
    if (chunk.whole && columns > max_narrow && side.table->series() >= min_repeats(columns))
      lister.walk(Runs(o, p, q, index_of(pair, side.begin)));
    else
      lister.walk(pair);
  };
  list_side(rows_, redistribution.traffic.rows, chunk.p.row, chunk.q.row, chunk.rows, chunk.cols.count);
  list_side(cols_, redistribution.traffic.cols, chunk.p.col, chunk.q.col, chunk.cols, 1);
}

int Packer::threads_for(const Chunk& chunk, Index bytes) const {
  if (threads_ == 1) return 1;
  const Index max = std::min(threads_, chunk.cols.count);
  return static_cast<int>(std::clamp<Index>(chunk.rows.count * chunk.cols.count * bytes / min_share_, 1, max));
}

std::byte* Packer::room(std::size_t which, Index bytes) {
  std::vector<std::byte>& memory = rooms_[which];
  if (memory.size() < as_size(bytes)) memory.resize(as_size(bytes));
  return memory.data();
}

void Packer::reserve(const Redistribution& redistribution, const Scalars& scalars, Index elements) {
  if (is_copy(redistribution, scalars)) return;
  const Index bytes = elements * std::max(redistribution.bytes_a(), redistribution.bytes_b());
  for (std::size_t which = 0; which < rooms_.size(); ++which) room(which, bytes);
}

Index Packer::listed_elements(const Redistribution& redistribution, const Chunk& chunk) const {
  if (chunk.whole) return chunk.rows.count * chunk.cols.count;
  return count_region(rows_, cols_, redistribution.region, redistribution.traffic.rows.n);
}

Index Packer::bytes_of(const Redistribution& redistribution, const Chunk& chunk) {
  if (!chunk.whole) list(redistribution, chunk, Place::a, Place::buffer);
  return redistribution.bytes * listed_elements(redistribution, chunk);
}

// Moves the listed rows and columns. Returns the number of elements.
Index Packer::move_listed(const Redistribution& redistribution, const Chunk& chunk, const Move& move,
                          const CopySides& sides, View view) {
  const int threads = threads_for(chunk, move.bytes);
  if (!chunk.whole)
    return move_region(move, rows_, cols_, sides, redistribution.region, redistribution.traffic.rows.n, view, threads);
  move_runs(move, rows_, cols_, sides, columns_, threads);
  return chunk.rows.count * chunk.cols.count;
}

bool Packer::has_long_runs(const Chunk& chunk) const {
  Index runs = std::ssize(rows_.once);
  for (const RepeatedRun& repeated : rows_.repeated) runs += repeated.count;
  return chunk.rows.count >= runs * min_updated_run;
}

// Updates a contiguous copy of the chunk of B, and copies it back. Returns the number of elements.
Index Packer::update_aside(const Redistribution& redistribution, const Chunk& chunk, const Update& how,
                           const CopySides& sides) {
  const Index bytes = redistribution.bytes_b(), rows = chunk.rows.count;
  const Index elements = listed_elements(redistribution, chunk);
  std::byte* updated = room(0, rows * chunk.cols.count * bytes);
  if (how.scalars.beta != 0.0) {
    list(redistribution, chunk, Place::b, Place::buffer);
    move_listed(redistribution, chunk, {bytes}, {sides.to, sides.ld_to, updated, rows}, View::pack);
    list(redistribution, chunk, Place::buffer, Place::b);
  }
  update(how, sides.from, updated, elements);
  return move_listed(redistribution, chunk, {bytes}, {updated, rows, sides.to, sides.ld_to, sides.stream},
                     View::unpack);
}

Index Packer::pack(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, std::byte* buffer) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const Index from_bytes = redistribution.bytes_a(), rows = chunk.rows.count, whole = rows * chunk.cols.count;
  const bool narrows = operation.narrows(bytes);
  std::byte* packed = narrows ? room(1, whole * from_bytes) : buffer;
  Index elements = whole;
  list(redistribution, chunk, Place::a, Place::buffer);
  if (operation.transposed) {  // the whole chunk, with elements outside of the region
    std::byte* standing = chunk.whole ? packed : room(2, whole * from_bytes);
    transpose_runs(from_bytes, rows_, cols_, {a.data, a.ld, standing, rows}, columns_, threads_for(chunk, from_bytes));
    a = {standing, rows};
    if (!chunk.whole) list(redistribution, chunk, Place::buffer, Place::buffer);
  }
  if (!operation.transposed || !chunk.whole)
    elements = move_listed(redistribution, chunk, {from_bytes}, {a.data, a.ld, packed, rows}, View::pack);
  if (narrows) convert(operation.a, operation.b, packed, buffer, elements);
  return elements * bytes;
}

Index Packer::unpack(const Redistribution& redistribution, const Chunk& chunk, const std::byte* buffer, Index available,
                     Array b, const Scalars& scalars) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const CopySides sides{buffer, chunk.rows.count, b.data, b.ld, streams_to_b(redistribution)};
  list(redistribution, chunk, Place::buffer, Place::b);
  if (listed_elements(redistribution, chunk) * bytes > available) return -1;
  if (!updates(redistribution, scalars))
    return bytes * move_listed(redistribution, chunk, {redistribution.bytes_b()}, sides, View::unpack);
  const Update how(operation.carried(bytes), operation.b, operation.conjugated, scalars);
  if (has_long_runs(chunk))
    return bytes * move_listed(redistribution, chunk, {redistribution.bytes_b(), &how}, sides, View::unpack);
  return bytes * update_aside(redistribution, chunk, how, sides);
}

void Packer::copy(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, Array b,
                  const Scalars& scalars) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const CopySides sides{a.data, a.ld, b.data, b.ld, streams_to_b(redistribution)};
  if (!operation.transposed) {
    list(redistribution, chunk, Place::a, Place::b);
    if (is_copy(redistribution, scalars)) {
      move_listed(redistribution, chunk, {bytes}, sides, View::copy);
      return;
    }
    if (has_long_runs(chunk)) {
      const Update how(operation.a, operation.b, operation.conjugated, scalars);
      move_listed(redistribution, chunk, {redistribution.bytes_b(), &how}, sides, View::copy);
      return;
    }
  }
  const Index room_bytes = chunk.rows.count * chunk.cols.count * bytes;
  std::byte* between = room(3, room_bytes);
  pack(redistribution, chunk, a, between);
  unpack(redistribution, chunk, between, room_bytes, b, scalars);
}

}  // namespace xredist::core
