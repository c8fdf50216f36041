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

// Returns whether columns of `length` rows are whole, hence contiguous in memory, on both sides.
bool are_whole(Index length, const CopySides& sides) { return length == sides.ld_from && length == sides.ld_to; }

// Returns whether columns of one run each continue each other on both sides, judged by the first two.
bool columns_continue(const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides) {
  if (rows.once.size() != 1 || !rows.repeated.empty()) return false;
  const Index length = rows.once.front().length;
  const auto joins = [&](Index step_from, Index step_to) {
    return step_from * sides.ld_from == length && step_to * sides.ld_to == length;
  };
  if (cols.once.empty()) return !cols.repeated.empty() && joins(cols.repeated[0].from_step, cols.repeated[0].to_step);
  const CopyRun& first = cols.once[0];
  if (first.length > 1) return are_whole(length, sides);
  return cols.once.size() > 1 && joins(cols.once[1].from - first.from, cols.once[1].to - first.to);
}

// Joins runs that continue each other on both sides, and moves them. Prefetches the next run.
template <class MoveRun>
class Joiner {
 public:
  Joiner(const CopySides& sides, const MoveRun& move) : sides_(sides), move_(move) {}

  [[gnu::noinline]] void enter(Index from, Index to, Index length) {
    if (last_.from + last_.length == from && last_.to + last_.length == to) {
      last_.length += length;
      return;
    }
    move_.fetch(at_to(to), at_from(from), length);
    end();
    last_ = {from, to, length, 0};
  }
  void end() const {
    if (last_.length > 0) move_(at_to(last_.to), at_from(last_.from), last_.length);
  }

 private:
  std::byte* at_to(Index k) const { return sides_.to + k * move_.to_bytes; }
  const std::byte* at_from(Index k) const { return sides_.from + k * move_.from_bytes; }

  const CopySides& sides_;
  const MoveRun& move_;
  CopyRun last_{0, 0, 0, 0};
};

// Moves columns of one run each, joined: hardware prefetches only within a run. Example: columns of 64 doubles, 64 of
// which follow each other on both sides, are runs of 32 KB. Plans of such arrays take 0.85 of the time on two cores
// with 2 MB of second-level cache.
template <class MoveRun>
void move_joined(const CopyRun& row, const CopyRuns& cols, const CopySides& sides, const MoveRun& move) {
  if (are_whole(row.length, sides)) {
    for_strips(cols, [&](Index from, Index to, Index columns) {
      move(sides.to + (to * row.length + row.to) * move.to_bytes,
           sides.from + (from * row.length + row.from) * move.from_bytes, columns * row.length);
    });
  } else {
    Joiner<MoveRun> runs(sides, move);
    for_strips(cols, [&](Index from, Index to, Index columns) {
      for (Index c = 0; c < columns; ++c)
        runs.enter((from + c) * sides.ld_from + row.from, (to + c) * sides.ld_to + row.to, row.length);
    });
    runs.end();
  }
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
  const bool repeated_sorted = sort_by_length(rows.repeated), once_sorted = sort_by_length(rows.once);
  move_shares(any, cols, sides, columns, threads, [&](std::span<const Column> some) {
    copy_by_length<bytes>(rows.repeated, repeated_sorted, some, sides.stream);
    copy_by_length<bytes>(rows.once, once_sorted, some, sides.stream);
  });
}

}  // namespace

void move_runs(const Move& move, CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns,
               int threads) {
  const bool joins = threads == 1 && columns_continue(rows, cols, sides);
  if (move.update == nullptr)
    return with_bytes(move.bytes, [&]<Index size>(std::integral_constant<Index, size>) {
      if (joins) return move_joined(rows.once.front(), cols, sides, CopyOfRun<size>{sides.stream});
      copy_all<size>(rows, cols, sides, columns, threads);
    });
  const UpdateOfRun any(*move.update);
  if (joins) return move_joined(rows.once.front(), cols, sides, any);
  move_shares(any, cols, sides, columns, threads, [&](std::span<const Column> some) {
    move_rows(std::span<const RepeatedRun>(rows.repeated), some, any);
    move_rows(std::span<const CopyRun>(rows.once), some, any);
  });
}

}  // namespace xredist::core
