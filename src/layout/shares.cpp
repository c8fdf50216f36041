// SPDX-License-Identifier: BSD-3-Clause
#include "layout/shares.hpp"

#include <algorithm>
#include <numeric>

#include "layout/cuts.hpp"

namespace xredist::core {
namespace {

// Calls piece(p, q, length) for what lies in one block of A and one of B, along [begin, end).
template <class Take>
void for_pieces(BlockScan& a, BlockScan& b, Index begin, Index end, Take piece) {
  while (begin < end) {
    const Index next = std::min({a.end(), b.end(), end});
    piece(a.owner(), b.owner(), next - begin);
    begin = next;
    if (begin == end) return;
    if (begin == a.end()) a.step();
    if (begin == b.end()) b.step();
  }
}

// The same, but the blocks of `cyclic` that fill whole cycles within an interval of `cut` are not visited one by one.
template <class Take>
void for_intervals(const Axis& cut, const Axis& cyclic, Index n, Take piece) {
  const Index cycle = cyclic.block * cyclic.procs;
  BlockScan interval(cut, 0), block(cyclic, 0);
  for (Index begin = 0;; interval.step()) {
    const Index end = std::min(interval.end(), n);
    if (const Index cycles = (end - begin) / cycle; cycles > 0) {
      for (Index q = 0; q < cyclic.procs; ++q) piece(interval.owner(), q, cycles * cyclic.block);
      begin += cycles * cycle;
    }
    if (begin < end) {
      if (begin >= block.end()) block = BlockScan(cyclic, begin);
      for_pieces(interval, block, begin, end, piece);
    }
    begin = end;
    if (begin == n) return;
  }
}

template <class Take>
void for_pieces(const Overlap& o, Take piece) {
  if (o.n == 0) return;
  if (is_cyclic(o.a) == is_cyclic(o.b)) {
    BlockScan a(o.a, 0), b(o.b, 0);
    for_pieces(a, b, 0, o.n, piece);
  } else if (is_cyclic(o.b)) {
    for_intervals(o.a, o.b, o.n, piece);
  } else {
    for_intervals(o.b, o.a, o.n, [&](Index q, Index p, Index length) { piece(p, q, length); });
  }
}

// How many calls that takes at most, for one cut axis.
double pieces_of(const Axis& cut, const Axis& cyclic, Index n) {
  const auto intervals = static_cast<double>(most_blocks(cut, n)), all = static_cast<double>(most_blocks(cyclic, n));
  return std::min(intervals * static_cast<double>(2 * cyclic.procs), all) + intervals;
}
double pieces_of(const Overlap& o) {
  if (is_cyclic(o.a) == is_cyclic(o.b))
    return static_cast<double>(most_blocks(o.a, o.n)) + static_cast<double>(most_blocks(o.b, o.n));
  return is_cyclic(o.b) ? pieces_of(o.a, o.b, o.n) : pieces_of(o.b, o.a, o.n);
}

double pairs_of(const Overlap& o) { return static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs); }

Share share(Index p, Index q, Index length) { return {static_cast<int>(p), static_cast<int>(q), length}; }

// A place for each pair.
std::vector<Share> by_places(const Overlap& o) {
  std::vector<Index> lengths(static_cast<std::size_t>(o.a.procs * o.b.procs), 0);
  for_pieces(o,
             [&](Index p, Index q, Index length) { lengths[static_cast<std::size_t>(p * o.b.procs + q)] += length; });
  std::vector<Share> result;
  for (Index p = 0; p < o.a.procs; ++p)
    for (Index q = 0; q < o.b.procs; ++q)
      if (const Index length = lengths[static_cast<std::size_t>(p * o.b.procs + q)]; length > 0)
        result.push_back(share(p, q, length));
  return result;
}

// A pass of counting for each side orders pieces by p, then q.
std::vector<Share> by_order(const Overlap& o) {
  std::vector<Share> pieces;
  pieces.reserve(static_cast<std::size_t>(pieces_of(o)));
  for_pieces(o, [&](Index p, Index q, Index length) { pieces.push_back(share(p, q, length)); });
  std::vector<Share> result;
  for (const Share& piece : ordered(ordered(pieces, &Share::q, o.b.procs), &Share::p, o.a.procs)) {
    if (!result.empty() && result.back().p == piece.p && result.back().q == piece.q)
      result.back().length += piece.length;
    else
      result.push_back(piece);
  }
  return result;
}

}  // namespace

std::vector<Share> ordered(const std::vector<Share>& list, int Share::*side, Index procs) {
  std::vector<std::size_t> place(static_cast<std::size_t>(procs) + 1, 0);
  for (const Share& share : list) ++place[static_cast<std::size_t>(share.*side) + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Share> result(list.size());
  for (const Share& share : list) result[place[static_cast<std::size_t>(share.*side)]++] = share;
  return result;
}

std::shared_ptr<const Partners> partners_of(const std::vector<Share>& list, int Share::*own, int Share::*peer,
                                            Index procs) {
  std::vector<std::size_t> begins(static_cast<std::size_t>(procs) + 1, 0);
  std::vector<Partner> all;
  all.reserve(list.size());
  for (const Share& share : list) {
    ++begins[static_cast<std::size_t>(share.*own) + 1];
    all.push_back({share.*peer, share.length});
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return std::make_shared<const Partners>(std::move(all), std::move(begins));
}

std::vector<Share> shares(const Overlap& o) {
  if (o.of_a == nullptr) return is_cyclic(o) || pairs_of(o) > pieces_of(o) ? by_order(o) : by_places(o);
  std::vector<Share> result;
  for (Index p = 0; p < o.a.procs; ++p)
    for (const auto& [q, length] : o.of_a->of(p)) result.push_back(share(p, q, length));
  return result;
}

double most_shares(const Overlap& o) {
  const double pieces = pieces_of(o);
  return is_cyclic(o) ? pieces : std::min(pieces, pairs_of(o));
}

}  // namespace xredist::core
