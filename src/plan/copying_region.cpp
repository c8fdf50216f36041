// SPDX-License-Identifier: BSD-3-Clause
// Those rows of a piece's columns that are in a trapezoid.
#include <atomic>
#include <span>

#include "plan/copying.hpp"
#include "plan/run_moves.hpp"

namespace xredist::core {
namespace {

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
template <class Move>
Index move_in_region(std::span<const CopyRun> rows, std::span<const CopyRun> cols, const CopySides& sides,
                     const Region& region, Index m, View view, const Interval& share, Index done, const Move& move) {
  for_columns(cols, share, region, m, [&](const CopyRun& strip, Index c, const Interval& moved) {
    const Index from_column = (strip.from + c) * sides.ld_from;
    const Index to_column = (strip.to + c) * sides.ld_to;
    for (const CopyRun& row : rows) {
      const auto [skip, end] = common(row, moved);
      if (end <= skip) continue;
      const Index from = view == View::unpack ? done : from_column + row.from + skip;
      const Index to = view == View::pack ? done : to_column + row.to + skip;
      move(sides.to + to * move.to_bytes, sides.from + from * move.from_bytes, end - skip);
      done += end - skip;
    }
  });
  return done;
}

// A thread counts the elements before its share, which takes a small part of the time of moving as many.
template <class Move>
Index move_region(const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, const Region& region, Index m,
                  View view, int shares, const Move& move) {
  std::atomic<Index> moved = 0;
  in_shares(columns_of(cols.once), shares, [&](const Interval& share) {
    const Index before = view == View::copy ? 0 : count_in_region(rows.once, cols.once, region, m, {0, share.begin});
    moved += move_in_region(rows.once, cols.once, sides, region, m, view, share, before, move) - before;
    if (sides.stream) end_streams();  // on the thread that stored
  });
  return moved;
}

}  // namespace

Index copy_region(Index bytes, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, const Region& region,
                  Index m, View view, int shares) {
  const auto copy = [&](const auto& move) { return move_region(rows, cols, sides, region, m, view, shares, move); };
  return bytes == 4   ? copy(CopyOfRun<4>{sides.stream})
         : bytes == 8 ? copy(CopyOfRun<8>{sides.stream})
                      : copy(CopyOfRun<16>{sides.stream});
}

Index change_region(const Change& how, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides,
                    const Region& region, Index m, View view, int shares) {
  return move_region(rows, cols, sides, region, m, view, shares, ChangeOfRun(how));
}

Index count_region(const CopyRuns& rows, const CopyRuns& cols, const Region& region, Index m) {
  return count_in_region(rows.once, cols.once, region, m, {0, columns_of(cols.once)});
}

}  // namespace xredist::core
