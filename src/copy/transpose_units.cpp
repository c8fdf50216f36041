// SPDX-License-Identifier: BSD-3-Clause
// The kernel that transposes elements of any size.
#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>

#include "copy/copy_runs.hpp"
#include "copy/run_moves.hpp"

namespace xredist::core {
namespace {

// Elements: tiles of this side stay in the first cache on both sides, unless elements are long. Tiles of elements of
// 1 and 2 bytes have a longer side, so that their columns fill a cache line.
constexpr Index min_tile_side = 16;

// The rows of a chunk, in pieces: piece k has the rows that are units of one element. All pieces are whole elements,
// except that the first and the last one may lack units.
struct Pieces {
  Index units;   // of a whole element
  Index before;  // units of the first element that are in no row
  Index rows;

  Index count() const { return ceil_div(before + rows, units); }
  Index of_row(Index row) const { return (before + row) / units; }
  Index length(Index k) const {
    return std::min((k + 1) * units - before, rows) - std::max<Index>(k * units - before, 0);
  }
};

// Every run begins with a whole element, unless the chunk begins or ends within the element.
Pieces pieces_of(const CopyRuns& rows, Index units, Index count) {
  const CopyRun& any = rows.once.empty() ? static_cast<const CopyRun&>(rows.repeated.front()) : rows.once.front();
  return {units, modulo(any.from - any.to, units), count};
}

// Lists the first element of each piece.
void list_pieces(Columns& columns, const Pieces& pieces, const Element& element, const CopyRuns& rows,
                 const CopySides& sides) {
  columns.resize(as_size(pieces.count()));
  for_strips(rows, [&](Index from, Index to, Index length) {
    for (Index done = 0, k = pieces.of_row(to); done < length; done += pieces.length(k++)) {
      const Index column = (from + done) / element.units, unit = (from + done) % element.units;
      at(columns, k) = {sides.from + (column * sides.ld_from * element.units + unit) * element.unit,
                        sides.to + (to + done) * element.unit};
    }
  });
}

// The distance in bytes from element to element of a piece, in the array and in the buffer. Passed by value, because
// stores of elements could change those in memory.
struct Steps {
  Index from, to;
};

// Transposes `count` elements of a piece from element `from` on. `bytes` may be a constant.
template <class Bytes>
[[gnu::always_inline]] inline void transpose_piece(const Column& piece, Index from, Index to, Index count, Steps steps,
                                                   Bytes bytes) {
  const std::byte* source = piece.from + from * steps.from;
  std::byte* target = piece.to + to * steps.to;
  for (Index j = 0; j < count; ++j, source += steps.from, target += steps.to)
    std::memcpy(target, source, as_size(Index{bytes}));
}

// Transposes pieces [first, last), tile by tile. bytes_of_piece(k) may return a constant.
template <class BytesOfPiece>
void transpose_tiles(const Columns& pieces, const Interval& share, Index side, const CopyRuns& cols, Steps steps,
                     BytesOfPiece bytes_of_piece) {
  for (Index first = share.begin; first < share.end; first += side)
    for_strips(cols, [&](Index from, Index to, Index length) {
      for (Index done = 0; done < length; done += side)
        for (Index k = first; k < std::min(first + side, share.end); ++k)
          transpose_piece(at(pieces, k), from + done, to + done, std::min(side, length - done), steps,
                          bytes_of_piece(k));
    });
}

}  // namespace

void transpose_units(const Element& element, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides,
                     Columns& columns, int threads) {
  const Pieces pieces = pieces_of(rows, element.units, sides.ld_to);
  list_pieces(columns, pieces, element, rows, sides);
  const Index side = std::max(min_tile_side, cache_line / element.bytes());
  const Steps steps{element.bytes(), sides.ld_to * element.unit};
  const auto transpose = [&](auto bytes_of_piece) {
    in_shares(pieces.count(), threads, false,
              [&](const Interval& share) { transpose_tiles(columns, share, side, cols, steps, bytes_of_piece); });
  };
  if (element.bytes() == 1) return transpose([](Index) { return std::integral_constant<Index, 1>(); });
  if (element.bytes() == 2) return transpose([](Index) { return std::integral_constant<Index, 2>(); });
  transpose([&](Index k) { return pieces.length(k) * element.unit; });
}

}  // namespace xredist::core
