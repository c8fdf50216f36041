// SPDX-License-Identifier: BSD-3-Clause
#include "plan/packing.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Stores bypass the caches if a process's part of B has at least so many bytes: what is written would not stay in the
// caches anyway. Whole calls take 0.75 to 0.97 of the time at 32 MB a process.
constexpr Index large_part = Index{8} << 20;

bool large_at_b(const Redistribution& redistribution) {
  const Traffic& t = redistribution.traffic;
  return t.rows.n / t.rows.b.procs * (t.cols.n / t.cols.b.procs) * redistribution.bytes_b() >= large_part;
}

// Shorter runs of rows are changed where they lie in a piece without gaps: a call for each would take longer than to
// bring them there and back.
constexpr Index least_changed_run = 8;

bool continues(const CopyRun& last, const CopyRun& next) {
  return last.from + last.length == next.from && last.to + last.length == next.to;
}

// How many periods a piece has at least where runs are repeated rather than listed one by one. Loops over few periods
// are short: with many columns, which share the list, single runs are up to a fifth faster.
Index least_periods(Index columns) { return columns <= 4 ? 2 : 8; }

// Whether unpacking does more than to copy.
bool is_applied(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return operation.carried(redistribution.bytes) != operation.b || operation.conjugated || scalars.alpha != 1.0 ||
         scalars.beta != 0.0;
}

}  // namespace

bool is_copy(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return !operation.transposed && !operation.narrows(redistribution.bytes) && !is_applied(redistribution, scalars);
}

// The runs of one side of a piece. `by_number`: of a trapezoid, where runs are cut by row number and none is repeated.
class Packer::Lister {
 public:
  Lister(CopyRuns& list, const PieceSide& side, Place from, Place to, bool by_number)
      : list_(list), side_(side), from_(from), to_(to), by_number_(by_number) {
    list_.once.clear();
    list_.repeated.clear();
  }

  void walk(Runs runs) {
    while (done_ < side_.count) add(copy_of(runs.next(side_.count - done_)));
  }

  // Of the periods that the side covers as a whole, each run is entered once. `columns`: that are copied by this list.
  void walk(const RunTable::Pair& pair, Index columns) {
    TableRuns runs(pair, side_.begin);
    while (done_ < side_.count && !runs.at_period()) add(copy_of(runs.next(side_.count - done_)));
    const Index periods = (side_.count - done_) / pair.elements();
    if (periods >= least_periods(columns) && !by_number_) {
      add_periods(pair, runs.turn(), periods);
      runs.skip(periods);
    }
    while (done_ < side_.count) add(copy_of(runs.next(side_.count - done_)));
  }

 private:
  // What a place has of three values.
  static Index at(Place place, Index a, Index b, Index in_buffer) {
    return place == Place::a ? a : place == Place::b ? b : in_buffer;
  }

  CopyRun copy_of(const Run& run) const {
    return {at(from_, run.a, run.b, done_), at(to_, run.a, run.b, done_), run.length, run.k};
  }

  // Runs that continue each other on both sides are joined; in a trapezoid they must also be adjacent in the matrix.
  void add(const CopyRun& next) {
    done_ += next.length;
    if (!list_.once.empty()) {
      CopyRun& last = list_.once.back();
      if (continues(last, next) && (!by_number_ || last.k + last.length == next.k)) {
        last.length += next.length;
        return;
      }
    }
    list_.once.push_back(next);
  }

  void add_periods(const RunTable::Pair& pair, Index turn, Index periods) {
    const Index elements = pair.elements(), begin = done_;
    const Index from_step = at(from_, pair.step_a, pair.step_b, elements);
    const Index to_step = at(to_, pair.step_a, pair.step_b, elements);
    for (const RunTable::TableRun& entry : pair.entries) {
      done_ = begin + entry.before;
      const CopyRun next = copy_of(pair.run(entry, turn));
      if (!list_.repeated.empty() && continues(list_.repeated.back().run, next))
        list_.repeated.back().run.length += next.length;
      else
        list_.repeated.push_back({next, periods, from_step, to_step});
    }
    done_ = begin + periods * elements;
    const CopyRun first = list_.repeated.front().run;
    if (list_.repeated.size() > 1 || first.length != from_step || first.length != to_step) return;
    list_.repeated.clear();  // each continues that of the period before
    done_ = begin;
    add({first.from, first.to, periods * elements, first.k});
  }

  CopyRuns& list_;
  const PieceSide& side_;
  Place from_, to_;
  bool by_number_;
  Index done_ = 0;
};

void Packer::list(const Redistribution& redistribution, const Piece& piece, Place from, Place to) {
  const bool by_number = redistribution.region.kind != Region::Kind::all;
  const auto list_side = [&](CopyRuns& list, const Overlap& o, Index p, Index q, const PieceSide& side, Index columns) {
    Lister lister(list, side, from, to, by_number);
    if (side.table != nullptr)
      lister.walk(side.table->pair(side.peer), columns);
    else
      lister.walk(Runs(o, p, q, side.first));
  };
  list_side(rows_, redistribution.traffic.rows, piece.p.row, piece.q.row, piece.rows, piece.cols.count);
  list_side(cols_, redistribution.traffic.cols, piece.p.col, piece.q.col, piece.cols, 1);
}

int Packer::shares_of(const Piece& piece, Index bytes) const {
  if (threads_ == 1) return 1;
  const Index most = std::min(threads_, piece.cols.count);
  return static_cast<int>(std::clamp<Index>(piece.rows.count * piece.cols.count * bytes / least_share_, 1, most));
}

std::byte* Packer::room(std::size_t which, Index bytes) {
  std::vector<std::byte>& its = rooms_[which];
  if (its.size() < static_cast<std::size_t>(bytes)) its.resize(static_cast<std::size_t>(bytes));
  return its.data();
}

void Packer::reserve(const Redistribution& redistribution, const Scalars& scalars, Index elements) {
  if (is_copy(redistribution, scalars)) return;
  const Index bytes = elements * std::max(redistribution.bytes_a(), redistribution.bytes_b());
  for (std::size_t which = 0; which < rooms_.size(); ++which) room(which, bytes);
}

// Returns the number of elements moved.
Index Packer::move(const Redistribution& redistribution, const Piece& piece, Index bytes, const CopySides& sides,
                   Place from, Place to) {
  list(redistribution, piece, from, to);
  const int shares = shares_of(piece, bytes);
  if (redistribution.region.kind != Region::Kind::all) {
    const View view = to == Place::buffer ? View::pack : from == Place::buffer ? View::unpack : View::copy;
    return copy_region(bytes, rows_, cols_, sides, redistribution.region, redistribution.traffic.rows.n, view, shares);
  }
  copy_runs(bytes, rows_, cols_, sides, columns_, shares);
  return piece.rows.count * piece.cols.count;
}

bool Packer::has_long_runs(const Piece& piece) const {
  Index runs = std::ssize(rows_.once);
  for (const RepeatedRun& repeated : rows_.repeated) runs += repeated.count;
  return piece.rows.count >= runs * least_changed_run;
}

Index Packer::change_listed(const Redistribution& redistribution, const Piece& piece, const Change& how,
                            const CopySides& sides, View view) {
  const int shares = shares_of(piece, redistribution.bytes_b());
  const Region& region = redistribution.region;
  if (region.kind != Region::Kind::all)
    return change_region(how, rows_, cols_, sides, region, redistribution.traffic.rows.n, view, shares);
  change_runs(how, rows_, cols_, sides, columns_, shares);
  return piece.rows.count * piece.cols.count;
}

// The columns of the array are the piece's rows. Elements outside of the region are read as well.
void Packer::transpose_piece(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* to) {
  const Index bytes = redistribution.bytes_a(), rows = piece.rows.count, cols = piece.cols.count;
  list(redistribution, piece, Place::a, Place::buffer);
  std::byte* lying = room(0, rows * cols * bytes);
  copy_runs(bytes, cols_, rows_, {a.data, a.ld, lying, cols}, columns_, shares_of(piece, bytes));
  transpose(bytes, lying, cols, rows, to);
}

Index Packer::pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const Index from_bytes = redistribution.bytes_a(), rows = piece.rows.count, whole = rows * piece.cols.count;
  const bool narrows = operation.narrows(bytes), trapezoid = region.kind != Region::Kind::all;
  std::byte* packed = narrows ? room(1, whole * from_bytes) : buffer;
  Index elements = whole;
  if (operation.transposed) {
    std::byte* standing = trapezoid ? room(2, whole * from_bytes) : packed;
    transpose_piece(redistribution, piece, a, standing);
    if (trapezoid)
      elements = move(redistribution, piece, from_bytes, {standing, rows, packed, rows}, Place::buffer, Place::buffer);
  } else {
    elements = move(redistribution, piece, from_bytes, {a.data, a.ld, packed, rows}, Place::a, Place::buffer);
  }
  if (narrows) convert(operation.a, operation.b, packed, buffer, elements);
  return elements * bytes;
}

Index Packer::unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b,
                     const Scalars& scalars) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const Index to_bytes = redistribution.bytes_b(), rows = piece.rows.count, whole = rows * piece.cols.count;
  const CopySides sides{buffer, rows, b.data, b.ld, large_at_b(redistribution)};
  if (!is_applied(redistribution, scalars))
    return bytes * move(redistribution, piece, to_bytes, sides, Place::buffer, Place::b);
  const Change how(operation.carried(bytes), operation.b, operation.conjugated, scalars);
  list(redistribution, piece, Place::buffer, Place::b);
  if (has_long_runs(piece)) return bytes * change_listed(redistribution, piece, how, sides, View::unpack);
  std::byte* changed = room(0, whole * to_bytes);
  Index elements = whole;
  if (scalars.beta != 0.0)
    elements = move(redistribution, piece, to_bytes, {b.data, b.ld, changed, rows}, Place::b, Place::buffer);
  else if (region.kind != Region::Kind::all)
    elements = count_region(rows_, cols_, region, traffic.rows.n);
  change(how, buffer, changed, elements);
  move(redistribution, piece, to_bytes, {changed, rows, b.data, b.ld, sides.stream}, Place::buffer, Place::b);
  return elements * bytes;
}

void Packer::copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b,
                  const Scalars& scalars) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const CopySides sides{a.data, a.ld, b.data, b.ld, large_at_b(redistribution)};
  if (is_copy(redistribution, scalars)) {
    move(redistribution, piece, bytes, sides, Place::a, Place::b);
    return;
  }
  if (!operation.transposed) {
    list(redistribution, piece, Place::a, Place::b);
    const Change how(operation.a, operation.b, operation.conjugated, scalars);
    if (has_long_runs(piece)) {
      change_listed(redistribution, piece, how, sides, View::copy);
      return;
    }
  }
  std::byte* between = room(3, piece.rows.count * piece.cols.count * bytes);
  pack(redistribution, piece, a, between);
  unpack(redistribution, piece, between, b, scalars);
}

}  // namespace xredist::core
