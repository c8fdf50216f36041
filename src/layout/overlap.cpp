// SPDX-License-Identifier: BSD-3-Clause
#include "layout/overlap.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace xredist::core {
namespace {

// Adds to lengths[q], `times` times, the number of elements of [begin, end) that q of B holds.
void add_interval(const Axis& b, Index begin, Index end, Index times, std::vector<Index>& lengths) {
  if (const Index cycle = b.block * b.procs, cycles = is_cyclic(b) ? (end - begin) / cycle : 0; cycles > 0) {
    for (Index& length : lengths) length += times * cycles * b.block;
    begin += cycles * cycle;
  }
  if (begin == end) return;
  for (BlockScan block(b, begin);; block.step()) {
    const Index length = std::min(block.end(), end) - begin;
    lengths[static_cast<std::size_t>(block.owner())] += times * length;
    begin += length;
    if (begin == end) return;
  }
}

// Whether p has few blocks, so that these are looked at, and not those of B.
bool few_blocks(const Overlap& o) {
  if (is_cyclic(o.a) && is_cyclic(o.b)) return o.a.block * o.a.procs > o.b.block;
  return !is_cyclic(o.a) || most_blocks(o.a, o.n) / o.a.procs <= most_blocks(o.b, o.n);
}

// Adds to lengths[q], `times` times, the number of elements of [0, n) that p of A shares with q of B.
void add_lengths(const Overlap& o, Index p, Index n, Index times, std::vector<Index>& lengths) {
  if (n == 0) return;
  if (few_blocks(o)) {
    for (BlockWalk own(o.a, p, 0); own.start() < n; own.step())
      add_interval(o.b, std::max<Index>(own.start(), 0), std::min(own.end(), n), times, lengths);
    return;
  }
  // Of every block of B, p may hold some elements.
  Index before = local_count(o.a, p, o.a.first);
  for (BlockScan block(o.b, 0);; block.step()) {
    const Index own = local_count(o.a, p, o.a.first + std::min(block.end(), n));
    lengths[static_cast<std::size_t>(block.owner())] += times * (own - before);
    if (block.end() >= n) return;
    before = own;
  }
}

// What lies in one block of A and one of B, along the axis.
std::vector<Share> pieces(const Overlap& o) {
  std::vector<Share> result;
  if (o.n == 0) return result;
  result.reserve(static_cast<std::size_t>(most_shares(o)));
  BlockScan a(o.a, 0), b(o.b, 0);
  for (Index k = 0;;) {
    const Index end = std::min({a.end(), b.end(), o.n});
    result.push_back({static_cast<int>(a.owner()), static_cast<int>(b.owner()), end - k});
    k = end;
    if (k == o.n) return result;
    if (k == a.end()) a.step();
    if (k == b.end()) b.step();
  }
}

// Stable, by counting: a pass for each side orders shares by p, then q.
std::vector<Share> ordered(const std::vector<Share>& list, int Share::*side, Index procs) {
  std::vector<std::size_t> place(static_cast<std::size_t>(procs) + 1, 0);
  for (const Share& share : list) ++place[static_cast<std::size_t>(share.*side) + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Share> result(list.size());
  for (const Share& share : list) result[place[static_cast<std::size_t>(share.*side)]++] = share;
  return result;
}

}  // namespace

Overlap overlap(Axis a, Axis b, Index n) {
  for (Axis* axis : {&a, &b})
    if (axis->procs == 1) *axis = {std::max<Index>(axis->first + n, 1), 1, 0, axis->first};
  return {a, b, n};
}

Overlap reversed(const Overlap& o) { return {o.b, o.a, o.n}; }

Index period(const Overlap& o) {
  if (!is_cyclic(o.a) || !is_cyclic(o.b)) return o.n + 1;
  // A single process holds every element, whatever its block size: only the other side's cycle counts.
  const Index cycle_a = o.a.procs == 1 ? 1 : o.a.block * o.a.procs;
  const Index cycle_b = o.b.procs == 1 ? 1 : o.b.block * o.b.procs;
  Index length;
  if (__builtin_mul_overflow(cycle_a / std::gcd(cycle_a, cycle_b), cycle_b, &length)) return o.n + 1;
  return std::min(length, o.n + 1);
}

std::optional<Index> common_blocks(const Overlap& o) {
  Index length;
  if (!is_cyclic(o.a) || !is_cyclic(o.b) ||
      __builtin_mul_overflow(o.a.block / std::gcd(o.a.block, o.b.block), o.b.block, &length))
    return std::nullopt;
  return length;
}

std::vector<Partner> partners(const Overlap& o, Index p) {
  std::vector<Index> lengths(static_cast<std::size_t>(o.b.procs), 0);
  const Index length = period(o);
  if (o.n >= length) add_lengths(o, p, length, o.n / length, lengths);
  add_lengths(o, p, o.n % length, 1, lengths);

  std::vector<Partner> result;
  for (Index q = 0; q < o.b.procs; ++q)
    if (const Index n = lengths[static_cast<std::size_t>(q)]; n > 0) result.push_back({q, n});
  return result;
}

Index most_partners(const Overlap& o) {
  if (is_cyclic(o.a) && is_cyclic(o.b)) return std::ssize(partners(o, owner(o.a, 0)));
  Index most = 0;
  for (Index p = 0; p < o.a.procs; ++p) most = std::max(most, std::ssize(partners(o, p)));
  return most;
}

std::vector<Share> shares(const Overlap& o) {
  std::vector<Share> result;
  if (!is_cyclic(o.a) || !is_cyclic(o.b)) {  // without the pieces: an interval may have any number of blocks
    for (Index p = 0; p < o.a.procs; ++p)
      for (const auto& [q, length] : partners(o, p))
        result.push_back({static_cast<int>(p), static_cast<int>(q), length});
    return result;
  }
  for (const Share& piece : ordered(ordered(pieces(o), &Share::q, o.b.procs), &Share::p, o.a.procs)) {
    if (!result.empty() && result.back().p == piece.p && result.back().q == piece.q)
      result.back().length += piece.length;
    else
      result.push_back(piece);
  }
  return result;
}

double most_shares(const Overlap& o) {
  const auto pieces = static_cast<double>(most_blocks(o.a, o.n)) + static_cast<double>(most_blocks(o.b, o.n));
  if (is_cyclic(o.a) && is_cyclic(o.b)) return pieces;
  return std::min(pieces, static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs));
}

Runs::Runs(const Overlap& o, Index p, Index q, Index k) : a_(o.a, p, k), b_(o.b, q, k), k_(k), n_(o.n) {}

Run Runs::next(Index most) {
  for (;;) {
    const Index begin = std::max({k_, a_.start(), b_.start()});
    if (begin >= n_ || most <= 0) return {n_, 0, 0, 0};
    const Index end = std::min({a_.end(), b_.end(), n_, begin + most});
    if (begin < end) {
      const Run run{begin, end - begin, a_.local(begin), b_.local(begin)};
      k_ = end;
      if (end == a_.end()) a_.step();
      if (end == b_.end()) b_.step();
      return run;
    }
    if (a_.end() <= begin) a_.skip(begin);
    if (b_.end() <= begin) b_.skip(begin);
  }
}

}  // namespace xredist::core
