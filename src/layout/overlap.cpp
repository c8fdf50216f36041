// SPDX-License-Identifier: BSD-3-Clause
#include "layout/overlap.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "layout/shares.hpp"

namespace xredist::core {
namespace {

// Adds to lengths[q], `times` times, the number of elements of [begin, end) that q of B holds.
void add_interval(const Axis& b, Index begin, Index end, Index times, std::vector<Index>& lengths) {
  if (const Index cycle = b.block * b.procs, cycles = (end - begin) / cycle; cycles > 0) {
    for (Index& length : lengths) length += times * cycles * b.block;
    begin += cycles * cycle;
  }
  Index q = owner(b, begin);
  for (Index left = b.block - (b.first + begin) % b.block; begin < end; left = b.block) {
    const Index length = std::min(left, end - begin);
    lengths[static_cast<std::size_t>(q)] += times * length;
    begin += length;
    if (++q == b.procs) q = 0;
  }
}

// Adds to lengths[q], `times` times, the number of elements of [0, n) that p of A shares with q of B.
void add_lengths(const Overlap& o, Index p, Index n, Index times, std::vector<Index>& lengths) {
  if (o.a.block * o.a.procs > o.b.block) {
    for (BlockWalk own(o.a, p, 0); own.start() < n; own.step())
      add_interval(o.b, std::max<Index>(own.start(), 0), std::min(own.end(), n), times, lengths);
    return;
  }
  // A's whole cycle fits into one block of B: p holds some elements of every block of B.
  Index q = owner(o.b, 0), before = local_count(o.a, p, o.a.first);
  for (Index end = o.b.block - o.b.first % o.b.block;; end += o.b.block) {
    const Index own = local_count(o.a, p, o.a.first + std::min(end, n));
    lengths[static_cast<std::size_t>(q)] += times * (own - before);
    if (end >= n) return;
    before = own;
    if (++q == o.b.procs) q = 0;
  }
}

}  // namespace

Overlap overlap(Axis a, Axis b, Index n) {
  for (Axis* axis : {&a, &b})
    if (axis->procs == 1) *axis = {std::max<Index>(axis->first + n, 1), 1, 0, axis->first};
  Overlap o{std::move(a), std::move(b), n};
  if (is_cyclic(o)) return o;
  std::vector<Share> all = shares(o);
  o.of_a = partners_of(all, &Share::p, &Share::q, o.a.procs);
  o.of_b = partners_of(ordered(all, &Share::q, o.b.procs), &Share::q, &Share::p, o.b.procs);
  return o;
}

Overlap reversed(const Overlap& o) { return {o.b, o.a, o.n, o.of_b, o.of_a}; }

Index period(const Overlap& o) {
  if (!is_cyclic(o)) return o.n + 1;
  // A single process holds every element, whatever its block size: only the other side's cycle counts.
  const Index cycle_a = o.a.procs == 1 ? 1 : o.a.block * o.a.procs;
  const Index cycle_b = o.b.procs == 1 ? 1 : o.b.block * o.b.procs;
  Index length;
  if (__builtin_mul_overflow(cycle_a / std::gcd(cycle_a, cycle_b), cycle_b, &length)) return o.n + 1;
  return std::min(length, o.n + 1);
}

std::optional<Index> common_blocks(const Overlap& o) {
  Index length;
  if (!is_cyclic(o) || __builtin_mul_overflow(o.a.block / std::gcd(o.a.block, o.b.block), o.b.block, &length))
    return std::nullopt;
  return length;
}

std::vector<Partner> partners(const Overlap& o, Index p) {
  if (o.of_a != nullptr) return {o.of_a->of(p).begin(), o.of_a->of(p).end()};
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
  if (o.of_a == nullptr) return std::ssize(partners(o, owner(o.a, 0)));
  Index most = 0;
  for (Index p = 0; p < o.a.procs; ++p) most = std::max(most, std::ssize(o.of_a->of(p)));
  return most;
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
