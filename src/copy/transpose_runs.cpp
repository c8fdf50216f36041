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

// More rows would displace each other in the first cache: the lines of an array whose leading dimension is a power of
// two share few sets. Packing doubles with tiles of 16 rows takes 1.1 times as long.
constexpr Index min_tile_rows = 8;

// A tile. Its columns are parts of a cache line of A, and its rows fill lines of the buffer.
template <Index bytes>
constexpr Index tile_cols = cache_line / bytes;
template <Index bytes>
constexpr Index tile_rows = std::max(min_tile_rows, tile_cols<bytes>);

// Two elements that are adjacent in memory.
template <Index bytes>
struct PairOf {
  using Element = std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>;
  using Type [[gnu::vector_size(2 * bytes)]] = Element;
};

// Returns element k of x and element k of y. With a shuffle, GCC loads x and y once each. (GCC 11 has none.)
template <int k, class Pair>
[[gnu::always_inline]] inline Pair pair_of(Pair x, Pair y) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(x, y, k, k + 2);
#else
  return Pair{x[k], y[k]};
#endif
}

// Transposes `count` elements of two adjacent columns: two loads and two stores move four elements.
template <Index bytes>
[[gnu::always_inline]] inline void transpose_pair(const std::byte* upper, const std::byte* lower, std::byte* to,
                                                  Index count, Index ld) {
  for (Index j = 0; j + 1 < count; j += 2) {
    typename PairOf<bytes>::Type x, y;
    std::memcpy(&x, upper + j * bytes, sizeof x);
    std::memcpy(&y, lower + j * bytes, sizeof y);
    const auto first = pair_of<0>(x, y), second = pair_of<1>(x, y);
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

// Transposes the runs of the columns of a tile, at most tile_rows. Prefetches those of the next tiles, each after the
// part of these columns that it displaces in the first cache.
template <Index bytes>
void transpose_columns(std::span<const Column> columns, const CopyRuns& runs, Index ld) {
  const Index rows = std::min(tile_rows<bytes>, std::ssize(columns));
  const auto next =
      columns.subspan(as_size(rows)).first(as_size(std::min(tile_rows<bytes>, std::ssize(columns) - rows)));
  for_strips(runs, [&](Index from, Index to, Index length) {
    for (Index done = 0; done < length; done += tile_cols<bytes>) {
      const Index offset = (from + done) * bytes, cols = std::min(tile_cols<bytes>, length - done);
      if (rows == tile_rows<bytes> && cols == tile_cols<bytes>)  // loops of a length known at compile time
        transpose_tile<bytes>(columns.data(), offset, tile_rows<bytes>, tile_cols<bytes>, ld, to + done);
      else
        transpose_tile<bytes>(columns.data(), offset, rows, cols, ld, to + done);
      for (const Column& column : next) fetch_lines<0>(column.from + offset, cols * bytes);
    }
  });
}

// Transposes the runs of all columns.
template <Index bytes>
void transpose_share(std::span<const Column> columns, const CopyRuns& runs, Index ld) {
  for (Index i = 0; i < std::ssize(columns); i += tile_rows<bytes>)
    transpose_columns<bytes>(columns.subspan(as_size(i)), runs, ld);
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
    const auto some = std::span<const Column>(columns).subspan(as_size(share.begin), as_size(share.length()));
    bytes == 4   ? transpose_share<4>(some, cols, ld)
    : bytes == 8 ? transpose_share<8>(some, cols, ld)
                 : transpose_share<16>(some, cols, ld);
  });
}

}  // namespace xredist::core
