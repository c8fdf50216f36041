// SPDX-License-Identifier: BSD-3-Clause
#include "copy/copy_runs.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "copy/run_moves.hpp"

namespace xredist::core {
namespace {

template <class MoveRun>
void list_columns(Columns& columns, const CopyRuns& cols, const CopySides& sides, const MoveRun& move) {
  columns.clear();
  for_strips(cols, [&](Index from, Index to, Index length) {
    for (Index c = 0; c < length; ++c)
      columns.push_back({sides.from + (from + c) * sides.ld_from * move.from_bytes,
                         sides.to + (to + c) * sides.ld_to * move.to_bytes});
  });
}

// Returns the number of runs between prefetch and move: two pages of runs, because a prefetch also brings the address
// of the next page. `runs`: the number of runs of a column.
Index runs_ahead(Index run_bytes, Index runs) {
  constexpr Index two_pages = 8192, min = 2, max = 16;
  return std::min(std::clamp(two_pages / run_bytes, min, max), runs);
}

// Calls action(to, from, length) for a run of a column. Always inline: GCC 12 removes calls of functions that only
// prefetch.
template <class MoveRun, class Action>
[[gnu::always_inline]] inline void with_run(const MoveRun& move, const Column& column, const CopyRun& run,
                                            Action action) {
  action(column.to + run.to * move.to_bytes, column.from + run.from * move.from_bytes, run.length);
}

// Moves `runs` runs of the first of these columns; prefetches the last of them, and the first ones of the next column.
// `run_at(k)` returns run k.
template <class MoveRun, class RunAt>
[[gnu::always_inline]] inline void move_column(std::span<const Column> columns, Index runs, const MoveRun& move,
                                               RunAt run_at) {
  const auto fetch = [&](std::byte* to, const std::byte* from, Index length) [[gnu::always_inline]] {
    if constexpr (MoveRun::fetches) move.fetch(to, from, length);
  };
  const Index ahead = MoveRun::fetches ? runs_ahead(run_at(0).length * move.from_bytes, runs) : 0;
  for (Index k = 0; k < runs; ++k) {
    if constexpr (MoveRun::fetches) {
      if (const Index next = k + ahead; next < runs)
        with_run(move, columns[0], run_at(next), fetch);
      else if (columns.size() > 1)
        with_run(move, columns[1], run_at(next - runs), fetch);
    }
    with_run(move, columns[0], run_at(k), move);
  }
}

// Moves runs of rows in all columns. Not inline: among other loops it would have fewer registers.
template <class MoveRun>
[[gnu::noinline]] void move_once(std::span<const CopyRun> rows, std::span<const Column> columns, MoveRun move) {
  if (rows.empty()) return;
  for (; !columns.empty(); columns = columns.subspan(1))
    move_column(columns, std::ssize(rows), move, [&](Index k) { return rows[as_size(k)]; });
}

// Moves repeated runs in all columns.
template <class MoveRun>
[[gnu::noinline]] void move_repeated(std::span<const RepeatedRun> rows, std::span<const Column> columns, MoveRun move) {
  for (; !columns.empty(); columns = columns.subspan(1))
    for (const RepeatedRun& row : rows)
      move_column(columns, row.count, move, [&](Index k) {
        return CopyRun{row.run.from + k * row.from_step, row.run.to + k * row.to_step, row.run.length, 0};
      });
}

// The kernels for runs of one length, up to short_run; 0: any length.
struct Copies {
  void (*once)(std::span<const CopyRun>, std::span<const Column>, bool stream);
  void (*repeated)(std::span<const RepeatedRun>, std::span<const Column>, bool stream);
};

template <Index bytes, Index length>
constexpr Copies copies_of_length{[](std::span<const CopyRun> rows, std::span<const Column> columns, bool stream) {
                                    move_once(rows, columns, CopyOfRun<bytes, length>{stream});
                                  },
                                  [](std::span<const RepeatedRun> rows, std::span<const Column> columns, bool stream) {
                                    move_repeated(rows, columns, CopyOfRun<bytes, length>{stream});
                                  }};

template <Index bytes, std::size_t... lengths>
constexpr auto copies_of(std::index_sequence<lengths...>) {
  return std::array<Copies, sizeof...(lengths)>{copies_of_length<bytes, static_cast<Index>(lengths)>...};
}

// Returns the length of the columns if they are whole, hence contiguous in memory, on both sides; otherwise 0.
Index whole_column(const CopyRuns& rows, const CopySides& sides, int threads) {
  if (threads > 1 || rows.once.size() != 1 || !rows.repeated.empty()) return 0;
  const Index length = rows.once.front().length;
  return length == sides.ld_from && length == sides.ld_to ? length : 0;
}

template <class MoveRun>
void move_whole_columns(Index length, const CopyRuns& cols, const CopySides& sides, const MoveRun& move) {
  for_strips(cols, [&](Index from, Index to, Index columns) {
    move(sides.to + to * length * move.to_bytes, sides.from + from * length * move.from_bytes, columns * length);
  });
  if (sides.stream) end_streams();
}

const CopyRun& run_of(const CopyRun& run) { return run; }
const CopyRun& run_of(const RepeatedRun& repeated) { return repeated.run; }

template <class SomeRun>
Index length_of(const SomeRun& run) {
  return run_of(run).length;
}

// Sorts the runs by length if all of them are short. Returns whether they are.
template <class SomeRun>
bool sort_by_length(std::vector<SomeRun>& runs) {
  if (std::ranges::any_of(runs, [](const SomeRun& run) { return length_of(run) > short_run; })) return false;
  std::ranges::sort(runs, {}, [](const SomeRun& run) { return std::pair(length_of(run), run_of(run).k); });
  return true;
}

// Calls copy(runs, length) for one length at a time if the runs are sorted, otherwise once with length 0. Branches on
// lengths that change from run to run would be mispredicted.
template <class SomeRun, class Copy>
void by_length(const std::vector<SomeRun>& runs, bool sorted, Copy copy) {
  if (!sorted) return copy(runs, 0);
  for (auto first = runs.begin(); first != runs.end();) {
    const Index length = length_of(*first);
    const auto last = std::ranges::upper_bound(first, runs.end(), length, {}, length_of<SomeRun>);
    copy(std::span(first, last), as_size(length));
    first = last;
  }
}

// Calls move_columns() for shares of the columns.
template <class MoveRun, class MoveColumns>
void move_shares(const MoveRun& move, const CopyRuns& cols, const CopySides& sides, Columns& columns, int threads,
                 MoveColumns move_columns) {
  list_columns(columns, cols, sides, move);
  in_shares(std::ssize(columns), threads, sides.stream, [&](const Interval& share) {
    move_columns(std::span<const Column>(columns).subspan(as_size(share.begin), as_size(share.length())));
  });
}

template <Index bytes>
void copy_all(CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns, int threads) {
  static constexpr auto copies = copies_of<bytes>(std::make_index_sequence<short_run + 1>{});
  const CopyOfRun<bytes> any{sides.stream};
  if (const Index length = whole_column(rows, sides, threads); length > 0)
    return move_whole_columns(length, cols, sides, any);
  const bool repeated_sorted = sort_by_length(rows.repeated), once_sorted = sort_by_length(rows.once);
  move_shares(any, cols, sides, columns, threads, [&](std::span<const Column> some) {
    by_length(rows.repeated, repeated_sorted, [&](std::span<const RepeatedRun> runs, std::size_t length) {
      copies[length].repeated(runs, some, sides.stream);
    });
    by_length(rows.once, once_sorted, [&](std::span<const CopyRun> runs, std::size_t length) {
      copies[length].once(runs, some, sides.stream);
    });
  });
}

}  // namespace

void move_runs(const Move& move, CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns,
               int threads) {
  if (move.update == nullptr)
    return with_bytes(move.bytes, [&]<Index size>(std::integral_constant<Index, size>) {
      copy_all<size>(rows, cols, sides, columns, threads);
    });
  const UpdateOfRun any(*move.update);
  if (const Index length = whole_column(rows, sides, threads); length > 0)
    return move_whole_columns(length, cols, sides, any);
  move_shares(any, cols, sides, columns, threads, [&](std::span<const Column> some) {
    move_repeated(rows.repeated, some, any);
    move_once(rows.once, some, any);
  });
}

}  // namespace xredist::core
