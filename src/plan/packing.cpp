#include "plan/packing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace xredist::core {
namespace {

using CopyRun = Packer::CopyRun;
using CopyRuns = std::vector<CopyRun>;

std::size_t size(Index bytes) { return static_cast<std::size_t>(bytes); }

// Runs of at most 16 elements are copied by moves whose size is known at compile time: a call of memcpy for each run
// would take longer than the copy.
constexpr Index short_run = 16;

// Stores bypass the caches if a run has at least so many bytes, and the process's part of B so many: then what is
// written would not stay in the caches anyway. Whole calls take 0.75 to 0.97 of the time at 32 MB a process.
constexpr Index least_stream = 256;
constexpr Index large_part = Index{8} << 20;

#ifdef __SSE2__
// memcpy with stores that bypass the caches, and so do not read what they overwrite. Only whole cache lines are stored
// this way: for parts of a line, runs of 36 doubles took five times as long.
void stream_run(std::byte* to, const std::byte* from, std::size_t n) {
  constexpr std::size_t line = 64;
  const std::size_t head = std::min(n, (line - reinterpret_cast<std::uintptr_t>(to) % line) % line);
  std::memcpy(to, from, head);
  for (to += head, from += head, n -= head; n >= line; to += line, from += line, n -= line) {
    __m128i quarters[4];
    std::memcpy(quarters, from, line);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, quarters[i]);
  }
  std::memcpy(to, from, n);
}
// Such stores are ordered with other stores by a fence only.
void end_streams() { _mm_sfence(); }
#else
void stream_run(std::byte* to, const std::byte* from, std::size_t n) { std::memcpy(to, from, n); }
void end_streams() {}
#endif

template <Index bytes>
void copy_run(std::byte* to, const std::byte* from, Index n, bool stream) {
  if (n > short_run) {
    if (stream && n * bytes >= least_stream)
      stream_run(to, from, size(n * bytes));
    else
      std::memcpy(to, from, size(n * bytes));
    return;
  }
  const auto move = [&]<Index count>(std::integral_constant<Index, count>) {
    if (n & count) {
      std::memcpy(to, from, size(count * bytes));
      to += count * bytes;
      from += count * bytes;
    }
  };
  move(std::integral_constant<Index, 16>{});
  move(std::integral_constant<Index, 8>{});
  move(std::integral_constant<Index, 4>{});
  move(std::integral_constant<Index, 2>{});
  move(std::integral_constant<Index, 1>{});
}

struct Sides {
  const std::byte* from;
  Index ld_from;
  std::byte* to;
  Index ld_to;
  bool stream = false;
};

// Calls visit(from, to) with the indices of all columns.
template <class Visit>
void for_columns(const CopyRuns& cols, Visit visit) {
  for (const CopyRun& strip : cols)
    for (Index i = 0; i < strip.count; ++i)
      for (Index c = 0; c < strip.length; ++c)
        visit(strip.from + i * strip.from_step + c, strip.to + i * strip.to_step + c);
}

// Copies all runs of rows in all columns. `length`: the length of every run of rows, or 0 if they differ.
template <Index bytes, Index length>
void copy_columns(std::span<const CopyRun> rows, const CopyRuns& cols, const Sides& sides) {
  for_columns(cols, [&](Index from_column, Index to_column) {
    for (const CopyRun& row : rows) {
      const std::byte* from = sides.from + (from_column * sides.ld_from + row.from) * bytes;
      std::byte* to = sides.to + (to_column * sides.ld_to + row.to) * bytes;
      const Index from_step = row.from_step * bytes, to_step = row.to_step * bytes;
      for (Index left = row.count; left > 0; --left, from += from_step, to += to_step) {
        if constexpr (length > 0)
          std::memcpy(to, from, size(length * bytes));
        else
          copy_run<bytes>(to, from, row.length, sides.stream);
      }
    }
  });
}

using CopyColumns = void (*)(std::span<const CopyRun>, const CopyRuns&, const Sides&);

template <Index bytes, std::size_t... lengths>
constexpr auto copies_of(std::index_sequence<lengths...>) {
  return std::array<CopyColumns, sizeof...(lengths)>{&copy_columns<bytes, static_cast<Index>(lengths)>...};
}

template <Index bytes>
void copy_all(CopyRuns& rows, const CopyRuns& cols, const Sides& sides) {
  static constexpr auto copies = copies_of<bytes>(std::make_index_sequence<short_run + 1>{});
  const Index length = rows.front().length;
  if (rows.size() == 1 && rows.front().count == 1 && length == sides.ld_from && length == sides.ld_to) {
    for (const CopyRun& strip : cols)  // whole columns are contiguous in memory
      for (Index i = 0; i < strip.count; ++i)
        copy_run<bytes>(sides.to + (strip.to + i * strip.to_step) * length * bytes,
                        sides.from + (strip.from + i * strip.from_step) * length * bytes, strip.length * length,
                        sides.stream);
    return;
  }
  if (std::ranges::any_of(rows, [](const CopyRun& s) { return s.length > short_run; }))
    return copies[0](rows, cols, sides);
  // One length at a time: branches on lengths that change from run to run would be mispredicted.
  std::ranges::sort(rows, {}, [](const CopyRun& s) { return std::pair(s.length, s.k); });
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::ranges::upper_bound(first, rows.end(), first->length, {}, &CopyRun::length);
    copies[size(first->length)]({first, last}, cols, sides);
    first = last;
  }
}

// Copies the elements of a region that does not hold whole columns. `packed_from`, `packed_to`: that side is a buffer
// without gaps. Returns the number of elements copied.
template <Index bytes>
Index copy_region(const CopyRuns& rows, const CopyRuns& cols, const Sides& sides, const Region& region, Index m,
                  bool packed_from, bool packed_to) {
  Index done = 0;
  for (const CopyRun& strip : cols)
    for (Index c = 0; c < strip.length; ++c) {
      const Interval moved = rows_of(region, strip.k + c, m);
      const Index from_column = (strip.from + c) * sides.ld_from;
      const Index to_column = (strip.to + c) * sides.ld_to;
      for (const CopyRun& row : rows) {
        const Index skip = std::max<Index>(moved.begin - row.k, 0);
        const Index count = std::min(row.length, moved.end - row.k) - skip;
        if (count <= 0) continue;
        const Index from = packed_from ? done : from_column + row.from + skip;
        const Index to = packed_to ? done : to_column + row.to + skip;
        copy_run<bytes>(sides.to + to * bytes, sides.from + from * bytes, count, sides.stream);
        done += count;
      }
    }
  return done;
}

enum class View { pack, unpack, copy };

template <Index bytes>
Index move_elements(const Redistribution& redistribution, const Piece& piece, const Sides& sides, CopyRuns& rows,
                    const CopyRuns& cols, View view) {
  if (redistribution.region.kind != Region::Kind::all)
    return copy_region<bytes>(rows, cols, sides, redistribution.region, redistribution.traffic.rows.n,
                              view == View::unpack, view == View::pack);
  copy_all<bytes>(rows, cols, sides);
  return piece.rows.count * piece.cols.count;
}

// Returns the number of bytes moved.
Index move(const Redistribution& redistribution, const Piece& piece, const Sides& sides, CopyRuns& rows,
           const CopyRuns& cols, View view) {
  const auto elements = redistribution.bytes == 4   ? move_elements<4>
                        : redistribution.bytes == 8 ? move_elements<8>
                                                    : move_elements<16>;
  const Index moved = elements(redistribution, piece, sides, rows, cols, view);
  if (sides.stream) end_streams();
  return redistribution.bytes * moved;
}

bool large_at_b(const Redistribution& redistribution) {
  const Traffic& t = redistribution.traffic;
  return t.rows.n / t.rows.b.procs * (t.cols.n / t.cols.b.procs) * redistribution.bytes >= large_part;
}

bool continues(const CopyRun& last, const CopyRun& next) {
  return last.from + last.length == next.from && last.to + last.length == next.to;
}

// The runs of one side of a piece. `by_number`: of a trapezoid, where runs are cut by row number.
class Lister {
 public:
  Lister(CopyRuns& list, const PieceSide& side, View view, bool by_number)
      : list_(list), side_(side), view_(view), by_number_(by_number) {
    list_.clear();
  }

  void walk(Runs runs) {
    while (done_ < side_.count) add(runs.next(side_.count - done_));
  }

  // Of the periods that the side covers as a whole, each run is entered once.
  void walk(const RunTable::Pair& pair) {
    TableRuns runs(pair, side_.begin);
    while (done_ < side_.count && !runs.at_period()) add(runs.next(side_.count - done_));
    const Index periods = (side_.count - done_) / pair.elements();
    if (periods > 1 && !by_number_) {
      add_periods(pair, runs.turn(), periods);
      runs.skip(periods);
    }
    while (done_ < side_.count) add(runs.next(side_.count - done_));
  }

 private:
  CopyRun copy_run(const Run& run) const {
    return {view_ == View::unpack ? done_ : run.a, view_ == View::pack ? done_ : run.b, run.length, run.k};
  }

  // Runs that continue each other on both sides are joined; in a trapezoid they must also be adjacent in the matrix.
  void add(const Run& run) {
    const CopyRun next = copy_run(run);
    done_ += run.length;
    if (!list_.empty()) {
      CopyRun& last = list_.back();
      if (last.count == 1 && continues(last, next) && (!by_number_ || last.k + last.length == next.k)) {
        last.length += next.length;
        return;
      }
    }
    list_.push_back(next);
  }

  void add_periods(const RunTable::Pair& pair, Index turn, Index periods) {
    const Index elements = pair.elements(), begin = done_;
    const std::size_t first = list_.size();
    for (const RunTable::Entry& entry : pair.entries) {
      done_ = begin + entry.before;
      CopyRun next = copy_run(pair.run(entry, turn));
      next.count = periods;
      next.from_step = view_ == View::unpack ? elements : pair.step_a;
      next.to_step = view_ == View::pack ? elements : pair.step_b;
      if (list_.size() > first && continues(list_.back(), next))
        list_.back().length += next.length;
      else
        list_.push_back(next);
    }
    done_ = begin + periods * elements;
    if (list_.size() == first + 1) join_periods();
  }

  // One run a period, which may continue that of the period before, and what comes before all of them.
  void join_periods() {
    CopyRun& all = list_.back();
    if (all.length != all.from_step || all.length != all.to_step) return;
    all = {all.from, all.to, all.length * all.count, all.k};
    if (list_.size() == 1 || !continues(list_[list_.size() - 2], all)) return;
    list_[list_.size() - 2].length += all.length;
    list_.pop_back();
  }

  CopyRuns& list_;
  const PieceSide& side_;
  View view_;
  bool by_number_;
  Index done_ = 0;
};

void list_axis(CopyRuns& list, const Overlap& o, Index p, Index q, const PieceSide& side, View view, bool by_number) {
  Lister lister(list, side, view, by_number);
  if (side.table != nullptr)
    lister.walk(side.table->pair(side.peer));
  else
    lister.walk(Runs(o, p, q, side.first));
}

void list(const Redistribution& redistribution, const Piece& piece, View view, CopyRuns& rows, CopyRuns& cols) {
  const auto& [traffic, region, bytes] = redistribution;
  const bool by_number = region.kind != Region::Kind::all;
  list_axis(rows, traffic.rows, piece.p.row, piece.q.row, piece.rows, view, by_number);
  list_axis(cols, traffic.cols, piece.p.col, piece.q.col, piece.cols, view, by_number);
}

}  // namespace

Index Packer::pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer) {
  list(redistribution, piece, View::pack, rows_, cols_);
  return move(redistribution, piece, {a.data, a.ld, buffer, piece.rows.count}, rows_, cols_, View::pack);
}

Index Packer::unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b) {
  list(redistribution, piece, View::unpack, rows_, cols_);
  return move(redistribution, piece, {buffer, piece.rows.count, b.data, b.ld, large_at_b(redistribution)}, rows_, cols_,
              View::unpack);
}

void Packer::copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b) {
  list(redistribution, piece, View::copy, rows_, cols_);
  move(redistribution, piece, {a.data, a.ld, b.data, b.ld, large_at_b(redistribution)}, rows_, cols_, View::copy);
}

}  // namespace xredist::core
