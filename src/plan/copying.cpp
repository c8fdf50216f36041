// SPDX-License-Identifier: BSD-3-Clause
#include "plan/copying.hpp"

#include <algorithm>
#include <array>
#include <atomic>
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

std::size_t size(Index bytes) { return static_cast<std::size_t>(bytes); }

// Runs of at most 16 elements are copied by moves whose size is known at compile time: a call of memcpy for each run
// would take longer than the copy.
constexpr Index short_run = 16;

// Stores bypass the caches only for runs of at least so many bytes.
constexpr Index least_stream = 256;

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

// Calls copy(share) for so many equal shares of the columns, each on a thread of its own if OpenMP has as many.
template <class Copy>
void in_shares(Index columns, int shares, const Copy& copy) {
  if (shares == 1) return copy(Interval{0, columns});
#ifdef _OPENMP
#pragma omp parallel for num_threads(shares) schedule(static, 1)
#endif
  for (int k = 0; k < shares; ++k) copy(Interval{columns * k / shares, columns * (k + 1) / shares});
}

// Calls visit(from, to, length) for all runs of columns.
template <class Visit>
void for_strips(const CopyRuns& cols, Visit visit) {
  for (const CopyRun& strip : cols.once) visit(strip.from, strip.to, strip.length);
  for (const auto& [strip, count, from_step, to_step] : cols.repeated)
    for (Index i = 0; i < count; ++i) visit(strip.from + i * from_step, strip.to + i * to_step, strip.length);
}

template <Index bytes>
void list_columns(Columns& columns, const CopyRuns& cols, const CopySides& sides) {
  columns.clear();
  for_strips(cols, [&](Index from, Index to, Index length) {
    for (Index c = 0; c < length; ++c)
      columns.push_back({sides.from + (from + c) * sides.ld_from * bytes, sides.to + (to + c) * sides.ld_to * bytes});
  });
}

template <Index bytes, Index length>
void copy_one(std::byte* to, const std::byte* from, Index its_length, bool stream) {
  if constexpr (length > 0)
    std::memcpy(to, from, size(length * bytes));
  else
    copy_run<bytes>(to, from, its_length, stream);
}

// Copies runs of rows in all columns. `length`: the length of each of these runs, or 0 if they differ.
template <Index bytes, Index length>
void copy_once(std::span<const CopyRun> rows, std::span<const Column> columns, bool stream) {
  for (const auto& [from, to] : columns)
    for (const CopyRun& row : rows)
      copy_one<bytes, length>(to + row.to * bytes, from + row.from * bytes, row.length, stream);
}

// The same for runs that are repeated.
template <Index bytes, Index length>
void copy_repeated(std::span<const RepeatedRun> rows, std::span<const Column> columns, bool stream) {
  for (const auto& [from_column, to_column] : columns)
    for (const auto& [run, count, from_step, to_step] : rows) {
      const std::byte* from = from_column + run.from * bytes;
      std::byte* to = to_column + run.to * bytes;
      for (Index left = count, forth = from_step * bytes, on = to_step * bytes; left > 0;
           --left, from += forth, to += on)
        copy_one<bytes, length>(to, from, run.length, stream);
    }
}

// By length, up to short_run; 0: of any length.
struct Copies {
  void (*once)(std::span<const CopyRun>, std::span<const Column>, bool stream);
  void (*repeated)(std::span<const RepeatedRun>, std::span<const Column>, bool stream);
};

template <Index bytes, std::size_t... lengths>
constexpr auto copies_of(std::index_sequence<lengths...>) {
  return std::array<Copies, sizeof...(lengths)>{
      Copies{&copy_once<bytes, static_cast<Index>(lengths)>, &copy_repeated<bytes, static_cast<Index>(lengths)>}...};
}

// Whole columns on both sides are contiguous in memory.
template <Index bytes>
void copy_whole_columns(Index length, const CopyRuns& cols, const CopySides& sides) {
  for_strips(cols, [&](Index from, Index to, Index columns) {
    copy_run<bytes>(sides.to + to * length * bytes, sides.from + from * length * bytes, columns * length, sides.stream);
  });
  if (sides.stream) end_streams();
}

const CopyRun& run_of(const CopyRun& run) { return run; }
const CopyRun& run_of(const RepeatedRun& repeated) { return repeated.run; }

template <class SomeRun>
Index length_of(const SomeRun& run) {
  return run_of(run).length;
}

// Sorts the runs by length if all of them are short, and returns whether they are.
template <class SomeRun>
bool sort_by_length(std::vector<SomeRun>& runs) {
  if (std::ranges::any_of(runs, [](const SomeRun& run) { return length_of(run) > short_run; })) return false;
  std::ranges::sort(runs, {}, [](const SomeRun& run) { return std::pair(length_of(run), run_of(run).k); });
  return true;
}

// Calls copy(runs, length) for all runs at once (length 0) or for one length at a time, if they are sorted: branches on
// lengths that change from run to run would be mispredicted.
template <class SomeRun, class Copy>
void by_length(const std::vector<SomeRun>& runs, bool sorted, Copy copy) {
  if (!sorted) return copy(runs, 0);
  for (auto first = runs.begin(); first != runs.end();) {
    const Index length = length_of(*first);
    const auto last = std::ranges::upper_bound(first, runs.end(), length, {}, length_of<SomeRun>);
    copy(std::span(first, last), size(length));
    first = last;
  }
}

template <Index bytes>
void copy_all(CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns, int shares) {
  static constexpr auto copies = copies_of<bytes>(std::make_index_sequence<short_run + 1>{});
  if (shares == 1 && rows.once.size() == 1 && rows.repeated.empty()) {
    const Index length = rows.once.front().length;
    if (length == sides.ld_from && length == sides.ld_to) return copy_whole_columns<bytes>(length, cols, sides);
  }
  list_columns<bytes>(columns, cols, sides);
  const bool repeated_sorted = sort_by_length(rows.repeated), once_sorted = sort_by_length(rows.once);
  in_shares(std::ssize(columns), shares, [&](const Interval& share) {
    const std::span<const Column> some(columns.data() + share.begin, columns.data() + share.end);
    by_length(rows.repeated, repeated_sorted, [&](std::span<const RepeatedRun> runs, std::size_t length) {
      copies[length].repeated(runs, some, sides.stream);
    });
    by_length(rows.once, once_sorted, [&](std::span<const CopyRun> runs, std::size_t length) {
      copies[length].once(runs, some, sides.stream);
    });
    if (sides.stream) end_streams();  // on the thread that stored
  });
}

// The rows of a run that are in an interval, counted from the first of the run; empty if end <= begin.
Interval common(const CopyRun& row, const Interval& moved) {
  return {std::max<Index>(moved.begin - row.k, 0), std::min(row.length, moved.end - row.k)};
}

// Calls visit(strip, c, rows that move) for the columns of a share.
template <class Visit>
void for_columns(std::span<const CopyRun> cols, const Interval& share, const Region& region, Index m, Visit visit) {
  Index before = 0;
  for (const CopyRun& strip : cols) {
    const Index end = std::min(strip.length, share.end - before);
    for (Index c = std::max<Index>(share.begin - before, 0); c < end; ++c)
      visit(strip, c, rows_of(region, strip.k + c, m));
    before += strip.length;
  }
}

Index columns_of(std::span<const CopyRun> cols) {
  Index columns = 0;
  for (const CopyRun& strip : cols) columns += strip.length;
  return columns;
}

// The elements of a share's columns.
Index count_in_region(std::span<const CopyRun> rows, std::span<const CopyRun> cols, const Region& region, Index m,
                      const Interval& share) {
  Index count = 0;
  for_columns(cols, share, region, m, [&](const CopyRun&, Index, const Interval& moved) {
    for (const CopyRun& row : rows) {
      const auto [begin, end] = common(row, moved);
      count += std::max<Index>(end - begin, 0);
    }
  });
  return count;
}

// `done`: elements of the piece in the columns before the share, of which a buffer has the places before. Returns how
// many it is with the share.
template <Index bytes>
Index copy_in_region(std::span<const CopyRun> rows, std::span<const CopyRun> cols, const CopySides& sides,
                     const Region& region, Index m, View view, const Interval& share, Index done) {
  for_columns(cols, share, region, m, [&](const CopyRun& strip, Index c, const Interval& moved) {
    const Index from_column = (strip.from + c) * sides.ld_from;
    const Index to_column = (strip.to + c) * sides.ld_to;
    for (const CopyRun& row : rows) {
      const auto [skip, end] = common(row, moved);
      if (end <= skip) continue;
      const Index from = view == View::unpack ? done : from_column + row.from + skip;
      const Index to = view == View::pack ? done : to_column + row.to + skip;
      copy_run<bytes>(sides.to + to * bytes, sides.from + from * bytes, end - skip, sides.stream);
      done += end - skip;
    }
  });
  return done;
}

}  // namespace

void copy_runs(Index bytes, CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns,
               int shares) {
  const auto copy = bytes == 4 ? copy_all<4> : bytes == 8 ? copy_all<8> : copy_all<16>;
  copy(rows, cols, sides, columns, shares);
}

// A thread counts the elements before its share, which takes a small part of the time of copying as many.
Index copy_region(Index bytes, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, const Region& region,
                  Index m, View view, int shares) {
  const auto copy = bytes == 4 ? copy_in_region<4> : bytes == 8 ? copy_in_region<8> : copy_in_region<16>;
  std::atomic<Index> moved = 0;
  in_shares(columns_of(cols.once), shares, [&](const Interval& share) {
    const Index before = view == View::copy ? 0 : count_in_region(rows.once, cols.once, region, m, {0, share.begin});
    moved += copy(rows.once, cols.once, sides, region, m, view, share, before) - before;
    if (sides.stream) end_streams();  // on the thread that stored
  });
  return moved;
}

Index count_region(const CopyRuns& rows, const CopyRuns& cols, const Region& region, Index m) {
  return count_in_region(rows.once, cols.once, region, m, {0, columns_of(cols.once)});
}

}  // namespace xredist::core
