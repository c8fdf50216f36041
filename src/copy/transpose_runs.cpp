// SPDX-License-Identifier: BSD-3-Clause
// The kernel that transposes the elements of a chunk.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "copy/copy_runs.hpp"
#include "copy/run_moves.hpp"

namespace xredist::core {
namespace {

// Elements: tiles of this side stay in the first cache on both sides, and their columns fill cache lines.
constexpr Index tile_side = 16;

// Two elements that are adjacent in memory.
template <Index bytes>
struct PairOf {
  using Element = std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>;
  using Type [[gnu::vector_size(2 * bytes)]] = Element;
};

// Transposes `count` elements of two adjacent columns: two loads and two stores move four elements.
template <Index bytes>
[[gnu::always_inline]] inline void transpose_pair(const std::byte* upper, const std::byte* lower, std::byte* to,
                                                  Index count, Index ld) {
  for (Index j = 0; j + 1 < count; j += 2) {
    typename PairOf<bytes>::Type x, y;
    std::memcpy(&x, upper + j * bytes, sizeof x);
    std::memcpy(&y, lower + j * bytes, sizeof y);
    const typename PairOf<bytes>::Type first{x[0], y[0]}, second{x[1], y[1]};
    std::memcpy(to + j * ld, &first, sizeof first);
    std::memcpy(to + (j + 1) * ld, &second, sizeof second);
  }
  if (count % 2 == 0) return;
  std::memcpy(to + (count - 1) * ld, upper + (count - 1) * bytes, as_size(bytes));
  std::memcpy(to + (count - 1) * ld + bytes, lower + (count - 1) * bytes, as_size(bytes));
}

// Transposes the first `rows` columns, from byte `offset` on. The columns' addresses are copied, because stores could
// change those in memory.
template <Index bytes>
[[gnu::always_inline]] inline void transpose_tile(const Column* columns, Index offset, Index rows, Index cols, Index ld,
                                                  Index k) {
  const Index paired = bytes <= 8 ? rows - rows % 2 : 0;
  if constexpr (bytes <= 8)
    for (Index i = 0; i < paired; i += 2)
      transpose_pair<bytes>(columns[i].from + offset, columns[i + 1].from + offset, columns[i].to + k * ld, cols, ld);
  for (Index i = paired; i < rows; ++i) {
    const std::byte* from = columns[i].from + offset;
    std::byte* to = columns[i].to + k * ld;
    for (Index j = 0; j < cols; ++j) std::memcpy(to + j * ld, from + j * bytes, as_size(bytes));
  }
}

// Transposes the runs of up to tile_side columns; prefetches those of the next columns.
template <Index bytes>
void transpose_columns(std::span<const Column> columns, const CopyRuns& runs, Index ld) {
  const Index rows = std::min(tile_side, std::ssize(columns));
  const std::span<const Column> next =
      columns.subspan(as_size(rows)).first(as_size(std::min<Index>(tile_side, std::ssize(columns) - rows)));
  for_strips(runs, [&](Index from, Index to, Index length) {
    for (Index done = 0; done < length; done += tile_side) {
      const Index offset = (from + done) * bytes, cols = std::min(tile_side, length - done);
      for (const Column& column : next) fetch_lines<0>(column.from + offset, cols * bytes);
      if (rows == tile_side && cols == tile_side)  // loops of a length known at compile time
        transpose_tile<bytes>(columns.data(), offset, tile_side, tile_side, ld, to + done);
      else
        transpose_tile<bytes>(columns.data(), offset, rows, cols, ld, to + done);
    }
  });
}

}  // namespace

void transpose_runs(Index bytes, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns,
                    int threads) {
  columns.resize(as_size(sides.ld_to));
  for_strips(rows, [&](Index from, Index to, Index length) {
    for (Index i = 0; i < length; ++i)
      at(columns, to + i) = {sides.from + (from + i) * sides.ld_from * bytes, sides.to + (to + i) * bytes};
  });
  const Index ld = sides.ld_to * bytes;
  in_shares(sides.ld_to, threads, false, [&](const Interval& share) {
    for (Index i = share.begin; i < share.end; i += tile_side) {
      const auto some = std::span(columns).subspan(as_size(i), as_size(share.end - i));
      bytes == 4   ? transpose_columns<4>(some, cols, ld)
      : bytes == 8 ? transpose_columns<8>(some, cols, ld)
                   : transpose_columns<16>(some, cols, ld);
    }
  });
}

}  // namespace xredist::core
