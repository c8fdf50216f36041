// SPDX-License-Identifier: BSD-3-Clause
// The shares of all pairs along an axis.
#include <algorithm>

#include "layout/overlap.hpp"

namespace xredist::core {
namespace {

// Calls piece(p, q, length) for each intersection of a block of A with a block of B along [begin, end).
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

// Does so for a partition and a CYCLIC axis, but with one call for each process of the CYCLIC axis for all whole cycles
// within an interval.
template <class Take>
void for_intervals(const Axis& partition, const Axis& cyclic, Index n, Take piece) {
  const Index cycle = cyclic.block() * cyclic.procs;
  BlockScan interval(partition, 0), block(cyclic, 0);
  for (Index begin = 0;; interval.step()) {
    const Index end = std::min(interval.end(), n);
    if (const Index cycles = (end - begin) / cycle; cycles > 0) {
      for (Index q = 0; q < cyclic.procs; ++q) piece(interval.owner(), q, cycles * cyclic.block());
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

// Returns an upper bound on the calls of piece() for a partition and a CYCLIC axis.
double max_pieces(const Axis& partition, const Axis& cyclic, Index n) {
  const auto intervals = static_cast<double>(max_blocks(partition, n));
  const auto blocks = static_cast<double>(max_blocks(cyclic, n));
  return std::min(intervals * static_cast<double>(2 * cyclic.procs), blocks) + intervals;
}
double max_pieces(const Overlap& o) {
  if (is_cyclic(o.a) == is_cyclic(o.b))
    return static_cast<double>(max_blocks(o.a, o.n)) + static_cast<double>(max_blocks(o.b, o.n));
  return is_cyclic(o.b) ? max_pieces(o.a, o.b, o.n) : max_pieces(o.b, o.a, o.n);
}

double pairs_of(const Overlap& o) { return static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs); }

Share share(Index p, Index q, Index length) { return {static_cast<int>(p), static_cast<int>(q), length}; }

// Adds the pieces up in a matrix with an entry for each pair.
std::vector<Share> by_matrix(const Overlap& o) {
  std::vector<Index> lengths(as_size(o.a.procs * o.b.procs), 0);
  for_pieces(o, [&](Index p, Index q, Index length) { at(lengths, p * o.b.procs + q) += length; });
  std::vector<Share> result;
  for (Index p = 0; p < o.a.procs; ++p)
    for (Index q = 0; q < o.b.procs; ++q)
      if (const Index length = at(lengths, p * o.b.procs + q); length > 0) result.push_back(share(p, q, length));
  return result;
}

// Sorts the pieces by p, then q, with a counting pass for each side, and joins those of a pair.
std::vector<Share> by_sorting(const Overlap& o) {
  std::vector<Share> pieces;
  pieces.reserve(static_cast<std::size_t>(max_pieces(o)));
  for_pieces(o, [&](Index p, Index q, Index length) { pieces.push_back(share(p, q, length)); });
  pieces = Grouped<Share>(o.b.procs, pieces, &Share::q).values();
  pieces = Grouped<Share>(o.a.procs, pieces, &Share::p).values();
  std::vector<Share> result;
  for (const Share& piece : pieces) {
    if (!result.empty() && result.back().p == piece.p && result.back().q == piece.q)
      result.back().length += piece.length;
    else
      result.push_back(piece);
  }
  return result;
}

}  // namespace

std::vector<Share> shares(const Overlap& o) {
  if (o.partners() == nullptr) return is_cyclic(o) || pairs_of(o) > max_pieces(o) ? by_sorting(o) : by_matrix(o);
  std::vector<Share> result;
  for (Index p = 0; p < o.a.procs; ++p)
    for (const auto& [q, length] : (*o.partners())[p]) result.push_back(share(p, q, length));
  return result;
}

double max_shares(const Overlap& o) {
  const double pieces = max_pieces(o);
  return is_cyclic(o) ? pieces : std::min(pieces, pairs_of(o));
}

}  // namespace xredist::core
