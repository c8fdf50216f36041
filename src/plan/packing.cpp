#include "plan/packing.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Stores bypass the caches if a process's part of B has at least so many bytes: what is written would not stay in the
// caches anyway. Whole calls take 0.75 to 0.97 of the time at 32 MB a process.
constexpr Index large_part = Index{8} << 20;

bool large_at_b(const Redistribution& redistribution) {
  const Traffic& t = redistribution.traffic;
  return t.rows.n / t.rows.b.procs * (t.cols.n / t.cols.b.procs) * redistribution.bytes >= large_part;
}

bool continues(const CopyRun& last, const CopyRun& next) {
  return last.from + last.length == next.from && last.to + last.length == next.to;
}

// How many periods a piece has at least where runs are repeated rather than listed one by one. Loops over few periods
// are short: with many columns, which share the list, single runs are up to a fifth faster.
Index least_periods(Index columns) { return columns <= 4 ? 2 : 8; }

// The runs of one side of a piece. `by_number`: of a trapezoid, where runs are cut by row number and none is repeated.
class Lister {
 public:
  Lister(CopyRuns& list, const PieceSide& side, View view, bool by_number)
      : list_(list), side_(side), view_(view), by_number_(by_number) {
    list_.once.clear();
    list_.repeated.clear();
  }

  void walk(Runs runs) {
    while (done_ < side_.count) add(copy_of(runs.next(side_.count - done_)));
  }

  // Of the periods that the side covers as a whole, each run is entered once.
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
  CopyRun copy_of(const Run& run) const {
    return {view_ == View::unpack ? done_ : run.a, view_ == View::pack ? done_ : run.b, run.length, run.k};
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
    const Index from_step = view_ == View::unpack ? elements : pair.step_a;
    const Index to_step = view_ == View::pack ? elements : pair.step_b;
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
  View view_;
  bool by_number_;
  Index done_ = 0;
};

// `columns`: that are copied by this list.
void list_axis(CopyRuns& list, const Overlap& o, Index p, Index q, const PieceSide& side, View view, bool by_number,
               Index columns) {
  Lister lister(list, side, view, by_number);
  if (side.table != nullptr)
    lister.walk(side.table->pair(side.peer), columns);
  else
    lister.walk(Runs(o, p, q, side.first));
}

}  // namespace

int Packer::shares_of(const Piece& piece, Index bytes) const {
  if (threads_ == 1) return 1;
  const Index most = std::min(threads_, piece.cols.count);
  return static_cast<int>(std::clamp<Index>(piece.rows.count * piece.cols.count * bytes / least_share_, 1, most));
}

// Returns the number of bytes moved.
Index Packer::move(const Redistribution& redistribution, const Piece& piece, const CopySides& sides, View view) {
  const auto& [traffic, region, bytes] = redistribution;
  const bool by_number = region.kind != Region::Kind::all;
  list_axis(rows_, traffic.rows, piece.p.row, piece.q.row, piece.rows, view, by_number, piece.cols.count);
  list_axis(cols_, traffic.cols, piece.p.col, piece.q.col, piece.cols, view, by_number, 1);
  const int shares = shares_of(piece, bytes);
  if (by_number) return bytes * copy_region(bytes, rows_, cols_, sides, region, traffic.rows.n, view, shares);
  copy_runs(bytes, rows_, cols_, sides, columns_, shares);
  return bytes * piece.rows.count * piece.cols.count;
}

Index Packer::pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer) {
  return move(redistribution, piece, {a.data, a.ld, buffer, piece.rows.count}, View::pack);
}

Index Packer::unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b) {
  return move(redistribution, piece, {buffer, piece.rows.count, b.data, b.ld, large_at_b(redistribution)},
              View::unpack);
}

void Packer::copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b) {
  move(redistribution, piece, {a.data, a.ld, b.data, b.ld, large_at_b(redistribution)}, View::copy);
}

}  // namespace xredist::core
