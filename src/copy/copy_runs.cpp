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
// of the next page. Example: 16 runs of 64 doubles (512 bytes) are ahead, but 2 runs of 1024 doubles. `runs`: the
// number of runs of a column.
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

// Moves `runs` runs of the first of these columns; prefetches long runs `ahead` runs before they are moved, also those
// of the next column. `run_at(k)` returns run k.
template <class MoveRun, class RunAt>
[[gnu::always_inline]] inline void move_column(std::span<const Column> columns, Index runs, Index ahead,
                                               const MoveRun& move, RunAt run_at) {
  if constexpr (MoveRun::fetches) {
    // Clang ignores [[gnu::always_inline]] on a lambda.
    const auto fetch = [&](std::byte * to, const std::byte* from, Index length) __attribute__((always_inline)) {
      move.fetch(to, from, length);
    };
    for (Index k = 0; k < runs; ++k) {
      if (const Index next = k + ahead; next < runs)
        with_run(move, columns[0], run_at(next), fetch);
      else if (columns.size() > 1)
        with_run(move, columns[1], run_at(next - runs), fetch);
      with_run(move, columns[0], run_at(k), move);
    }
  } else {
    const Column here = columns.front();  // a copy stays in registers while elements are stored
    for (Index k = 0; k < runs; ++k) with_run(move, here, run_at(k), move);
  }
}

// Moves runs of rows in all columns. Not inline: among other loops it would have fewer registers.
template <class MoveRun>
[[gnu::noinline]] void move_rows(std::span<const CopyRun> rows, std::span<const Column> columns, MoveRun move) {
  if (rows.empty()) return;
  const Index runs = std::ssize(rows), ahead = runs_ahead(rows.front().length * move.from_bytes, runs);
  for (; !columns.empty(); columns = columns.subspan(1))
    move_column(columns, runs, ahead, move, [=](Index k) { return rows[as_size(k)]; });
}

// Moves repeated runs in all columns.
template <class MoveRun>
[[gnu::noinline]] void move_rows(std::span<const RepeatedRun> rows, std::span<const Column> columns, MoveRun move) {
  for (; !columns.empty(); columns = columns.subspan(1))
    for (const RepeatedRun row : rows)  // a copy stays in registers while elements are stored
      move_column(columns, row.count, runs_ahead(row.length * move.from_bytes, row.count), move, [=](Index k) {
        return CopyRun{row.from + k * row.from_step, row.to + k * row.to_step, row.length, 0};
      });
}

// Returns the length of the columns if they are whole, hence contiguous in memory, on both sides; otherwise 0. Example:
// a single row of arrays with strides, which have leading dimension 1, may have any index.
Index whole_column(const CopyRuns& rows, const CopySides& sides, int threads) {
  if (threads > 1 || rows.once.size() != 1 || !rows.repeated.empty()) return 0;
  const CopyRun& run = rows.once.front();
  return run.length == sides.ld_from && run.length == sides.ld_to && (run.from | run.to) == 0 ? run.length : 0;
}

template <class MoveRun>
void move_whole_columns(Index length, const CopyRuns& cols, const CopySides& sides, const MoveRun& move) {
  for_strips(cols, [&](Index from, Index to, Index columns) {
    move(sides.to + to * length * move.to_bytes, sides.from + from * length * move.from_bytes, columns * length);
  });
  if (sides.stream) end_streams();
}

// Sorts the runs by length if all of them are short. Returns whether they are. Most lists are sorted already.
template <class SomeRun>
bool sort_by_length(std::vector<SomeRun>& runs) {
  if (std::ranges::any_of(runs, [](const SomeRun& run) { return run.length > short_run; })) return false;
  const auto order = [](const SomeRun& run) { return std::pair(run.length, run.k); };
  if (!std::ranges::is_sorted(runs, {}, order)) std::ranges::sort(runs, {}, order);
  return true;
}

// Copies runs of one length, up to short_run; 0: any length.
template <Index bytes, Index length, class SomeRun>
void copy_rows(std::span<const SomeRun> rows, std::span<const Column> columns, bool stream) {
  move_rows(rows, columns, CopyOfRun<bytes, length>{stream});
}
template <Index bytes, class SomeRun, std::size_t... lengths>
constexpr auto kernels_of(std::index_sequence<lengths...>) {
  return std::array{copy_rows<bytes, static_cast<Index>(lengths), SomeRun>...};
}

// Copies runs of rows, one length at a time if the runs are sorted: branches on lengths that change from run to run
// would be mispredicted.
template <Index bytes, class SomeRun>
void copy_by_length(const std::vector<SomeRun>& runs, bool sorted, std::span<const Column> columns, bool stream) {
  static constexpr auto kernels = kernels_of<bytes, SomeRun>(std::make_index_sequence<short_run + 1>{});
  if (!sorted) return kernels[0](runs, columns, stream);
  for (auto first = runs.begin(); first != runs.end();) {
    const Index length = first->length;
    const auto last = std::ranges::upper_bound(first, runs.end(), length, {}, &SomeRun::length);
    at(kernels, length)(std::span(first, last), columns, stream);
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
  const CopyOfRun<bytes> any{sides.stream};
  if (const Index length = whole_column(rows, sides, threads); length > 0)
    return move_whole_columns(length, cols, sides, any);
  const bool repeated_sorted = sort_by_length(rows.repeated), once_sorted = sort_by_length(rows.once);
  move_shares(any, cols, sides, columns, threads, [&](std::span<const Column> some) {
    copy_by_length<bytes>(rows.repeated, repeated_sorted, some, sides.stream);
    copy_by_length<bytes>(rows.once, once_sorted, some, sides.stream);
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
    move_rows(std::span<const RepeatedRun>(rows.repeated), some, any);
    move_rows(std::span<const CopyRun>(rows.once), some, any);
  });
}

}  // namespace xredist::core
