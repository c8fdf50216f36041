#include "plan/copying.hpp"

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
void copy_once(std::span<const CopyRun> rows, const Columns& columns, bool stream) {
  for (const auto& [from, to] : columns)
    for (const CopyRun& row : rows)
      copy_one<bytes, length>(to + row.to * bytes, from + row.from * bytes, row.length, stream);
}

// The same for runs that are repeated.
template <Index bytes, Index length>
void copy_repeated(std::span<const RepeatedRun> rows, const Columns& columns, bool stream) {
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
  void (*once)(std::span<const CopyRun>, const Columns&, bool stream);
  void (*repeated)(std::span<const RepeatedRun>, const Columns&, bool stream);
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
}

const CopyRun& run_of(const CopyRun& run) { return run; }
const CopyRun& run_of(const RepeatedRun& repeated) { return repeated.run; }

// Calls copy(runs, length) for all runs at once (length 0) or for one length at a time: branches on lengths that change
// from run to run would be mispredicted.
template <class SomeRun, class Copy>
void by_length(std::vector<SomeRun>& runs, Copy copy) {
  const auto length_of = [](const SomeRun& run) { return run_of(run).length; };
  if (std::ranges::any_of(runs, [&](const SomeRun& run) { return length_of(run) > short_run; })) return copy(runs, 0);
  std::ranges::sort(runs, {}, [](const SomeRun& run) { return std::pair(run_of(run).length, run_of(run).k); });
  for (auto first = runs.begin(); first != runs.end();) {
    const auto last = std::ranges::upper_bound(first, runs.end(), length_of(*first), {}, length_of);
    copy(std::span(first, last), size(length_of(*first)));
    first = last;
  }
}

template <Index bytes>
void copy_all(CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns) {
  static constexpr auto copies = copies_of<bytes>(std::make_index_sequence<short_run + 1>{});
  if (rows.once.size() == 1 && rows.repeated.empty()) {
    const Index length = rows.once.front().length;
    if (length == sides.ld_from && length == sides.ld_to) return copy_whole_columns<bytes>(length, cols, sides);
  }
  list_columns<bytes>(columns, cols, sides);
  by_length(rows.repeated, [&](std::span<const RepeatedRun> some, std::size_t length) {
    copies[length].repeated(some, columns, sides.stream);
  });
  by_length(rows.once, [&](std::span<const CopyRun> some, std::size_t length) {
    copies[length].once(some, columns, sides.stream);
  });
}

template <Index bytes>
Index copy_in_region(std::span<const CopyRun> rows, std::span<const CopyRun> cols, const CopySides& sides,
                     const Region& region, Index m, View view) {
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
        const Index from = view == View::unpack ? done : from_column + row.from + skip;
        const Index to = view == View::pack ? done : to_column + row.to + skip;
        copy_run<bytes>(sides.to + to * bytes, sides.from + from * bytes, count, sides.stream);
        done += count;
      }
    }
  return done;
}

}  // namespace

void copy_runs(Index bytes, CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns) {
  const auto copy = bytes == 4 ? copy_all<4> : bytes == 8 ? copy_all<8> : copy_all<16>;
  copy(rows, cols, sides, columns);
  if (sides.stream) end_streams();
}

Index copy_region(Index bytes, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, const Region& region,
                  Index m, View view) {
  const auto copy = bytes == 4 ? copy_in_region<4> : bytes == 8 ? copy_in_region<8> : copy_in_region<16>;
  const Index moved = copy(rows.once, cols.once, sides, region, m, view);
  if (sides.stream) end_streams();
  return moved;
}

}  // namespace xredist::core
