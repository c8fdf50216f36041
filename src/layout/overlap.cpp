// SPDX-License-Identifier: BSD-3-Clause
#include "layout/overlap.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "layout/layout.hpp"

namespace xredist::core {
namespace {

// Calls add(q, length) for the numbers of elements of [begin, end) that processes q of B hold, `times` times.
template <class Add>
void add_interval(const Axis& b, Index begin, Index end, Index times, const Add& add) {
  const Index block = b.block();
  if (const Index cycle = block * b.procs, cycles = (end - begin) / cycle; cycles > 0) {
    for (Index q = 0; q < b.procs; ++q) add(q, times * cycles * block);
    begin += cycles * cycle;
  }
  Index q = owner(b, begin);
  for (Index left = block - (b.first + begin) % block; begin < end; left = block) {
    const Index length = std::min(left, end - begin);
    add(q, times * length);
    begin += length;
    if (++q == b.procs) q = 0;
  }
}

// Calls add(q, length) for the numbers of elements of [0, n) that p of A shares with processes q of B, `times` times.
template <class Add>
void add_lengths(const Overlap& o, Index p, Index n, Index times, const Add& add) {
  const Index block = o.b.block();
  if (o.a.block() * o.a.procs > block) {
    for (BlockWalk own(o.a, p, 0); own.start() < n; own.step())
      add_interval(o.b, std::max<Index>(own.start(), 0), std::min(own.end(), n), times, add);
    return;
  }
  // A's whole cycle fits into one block of B: p holds some elements of every block of B.
  Index q = owner(o.b, 0), before = local_count(o.a, p, o.a.first);
  for (Index end = block - o.b.first % block;; end += block) {
    const Index own = local_count(o.a, p, o.a.first + std::min(end, n));
    add(q, times * (own - before));
    if (end >= n) return;
    before = own;
    if (++q == o.b.procs) q = 0;
  }
}

// Returns an upper bound on the calls of add() of add_lengths. Both axes are CYCLIC.
Index max_lengths(const Overlap& o, Index n) {
  const Index r = o.a.block(), s = o.b.block();
  const Index own_blocks = n / r / o.a.procs + 2, of_a_block = r / s + 2 + (r / s >= o.b.procs ? o.b.procs : 0);
  return r * o.a.procs > s ? own_blocks * of_a_block : n / s + 2;
}

// Pieces of a process up to which their partners are sorted: 1 for so many processes of the other side. With more, the
// elements of each process are counted.
constexpr Index processes_per_sorted_piece = 16;

// Adds the pieces of each partner up.
std::vector<Partner> joined(std::vector<Partner> pieces) {
  std::ranges::sort(pieces, {}, &Partner::peer);
  std::vector<Partner> result;
  for (const Partner& piece : pieces) {
    if (!result.empty() && result.back().peer == piece.peer)
      result.back().length += piece.length;
    else
      result.push_back(piece);
  }
  return result;
}

}  // namespace

Axis in_one_block(Axis axis, Index n) {
  if (axis.procs > 1 || !in_order(axis)) return axis;
  return {std::max<Index>(axis.first + n, 1), 1, 0, axis.first};
}

Overlap::Overlap(Axis axis_of_a, Axis axis_of_b, Index elements)
    : a(in_one_block(std::move(axis_of_a), elements)), b(in_one_block(std::move(axis_of_b), elements)), n(elements) {
  if (is_cyclic(*this)) return;
  const std::vector<Share> all = shares(*this);
  const auto grouped = [&](Index procs, int Share::*own, int Share::*peer) {
    const auto partner = [peer](const Share& share) { return Partner{share.*peer, share.length}; };
    return std::make_shared<const Grouped<Partner>>(procs, all, own, partner);
  };
  partners_ = {grouped(a.procs, &Share::p, &Share::q), grouped(b.procs, &Share::q, &Share::p)};
}

namespace {

// Returns the product of a number of each factor.
template <class Of>
Index product_over(const std::vector<Overlap>& factors, Of of) {
  Index product = 1;
  for (const Overlap& factor : factors) product *= of(factor);
  return product;
}

Axis product_axis(const std::vector<Overlap>& factors, const Axis Overlap::*side) {
  Axis axis;
  axis.procs = product_over(factors, [side](const Overlap& factor) { return (factor.*side).procs; });
  axis.distribution = ProductOfAxes{};
  return axis;
}

}  // namespace

Overlap::Overlap(std::vector<Overlap> factors)
    : a(product_axis(factors, &Overlap::a)),
      b(product_axis(factors, &Overlap::b)),
      n(product_over(factors, [](const Overlap& factor) { return factor.n; })),
      factors_(std::make_shared<const std::vector<Overlap>>(std::move(factors))) {}

Overlap reversed(const Overlap& o) {
  if (!is_product(o)) return {o.b, o.a, o.n, {o.partners_.second, o.partners_.first}};
  std::vector<Overlap> factors;
  for (const Overlap& factor : *o.factors()) factors.push_back(reversed(factor));
  return Overlap(std::move(factors));
}

namespace {

// Returns the period of CYCLIC axes, however long; nothing if it exceeds 64 bits.
std::optional<Index> whole_period(const Overlap& o) {
  // A single process holds every element, whatever its block size: only the other side's cycle counts.
  const Index cycle_a = o.a.procs == 1 ? 1 : o.a.block() * o.a.procs;
  const Index cycle_b = o.b.procs == 1 ? 1 : o.b.block() * o.b.procs;
  Index length;
  if (__builtin_mul_overflow(cycle_a / std::gcd(cycle_a, cycle_b), cycle_b, &length)) return std::nullopt;
  return length;
}

}  // namespace

Index period(const Overlap& o) { return is_cyclic(o) ? std::min(whole_period(o).value_or(o.n + 1), o.n + 1) : o.n + 1; }

std::optional<Overlap> in_whole_period(const Overlap& o) {
  if (!is_cyclic(o)) return std::nullopt;
  const std::optional<Index> length = whole_period(o);
  if (!length || *length > max_elements) return std::nullopt;
  return *length <= o.n ? o : Overlap(o.a, o.b, *length);
}

// On a CYCLIC axis no process holds more than the owner of the first block, or that of the second: a process further on
// has no more blocks than the latter, and none of them is longer.
Index max_held(const Overlap& o) {
  if (is_product(o)) return product_over(*o.factors(), max_held);
  const auto held = [&](Index p) { return local_count(o.a, p, o.a.first + o.n) - local_count(o.a, p, o.a.first); };
  if (is_cyclic(o.a)) {
    const Index first = owner(o.a, 0);
    return std::max(held(first), held((first + 1) % o.a.procs));
  }
  Index most = 0;
  for (Index p = 0; p < o.a.procs; ++p) most = std::max(most, held(p));
  return most;
}

std::optional<Index> common_blocks(const Overlap& o) {
  Index length;
  if (!is_cyclic(o)) return std::nullopt;
  const Index r = o.a.block(), s = o.b.block();
  return __builtin_mul_overflow(r / std::gcd(r, s), s, &length) ? std::nullopt : std::optional(length);
}

namespace {

std::vector<Partner> partners_in_product(const std::vector<Overlap>& factors, Index p) {
  std::vector<Partner> all{{0, 1}};
  Index procs = 1;  // of the other side in the factors so far
  for (const Overlap& factor : factors) {
    std::vector<Partner> extended;
    for (const Partner& along : partners(factor, p % factor.a.procs))
      for (const Partner& before : all)
        extended.push_back({before.peer + procs * along.peer, before.length * along.length});
    all = std::move(extended);
    p /= factor.a.procs;
    procs *= factor.b.procs;
  }
  return all;
}

}  // namespace

std::vector<Partner> partners(const Overlap& o, Index p) {
  if (is_product(o)) return partners_in_product(*o.factors(), p);
  if (o.partners() != nullptr) {
    const std::span own = (*o.partners())[p];
    return {own.begin(), own.end()};
  }
  const Index length = period(o);
  const auto visit = [&](const auto& add) {
    if (o.n >= length) add_lengths(o, p, length, o.n / length, add);
    add_lengths(o, p, o.n % length, 1, add);
  };
  if (2 * max_lengths(o, std::min(o.n, length)) * processes_per_sorted_piece < o.b.procs) {
    std::vector<Partner> pieces;
    visit([&](Index q, Index shared) {
      if (shared > 0) pieces.push_back({q, shared});
    });
    return joined(std::move(pieces));
  }
  std::vector<Index> lengths(as_size(o.b.procs), 0);
  visit([&](Index q, Index shared) { at(lengths, q) += shared; });
  std::vector<Partner> result;
  for (Index q = 0; q < o.b.procs; ++q)
    if (const Index shared = at(lengths, q); shared > 0) result.push_back({q, shared});
  return result;
}

Index max_partners(const Overlap& o) {
  if (is_product(o)) return product_over(*o.factors(), [](const Overlap& factor) { return max_partners(factor); });
  if (o.partners() == nullptr) return std::ssize(partners(o, owner(o.a, 0)));
  Index most = 0;
  for (Index p = 0; p < o.a.procs; ++p) most = std::max(most, std::ssize((*o.partners())[p]));
  return most;
}

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

// Calls piece() for a partition and a CYCLIC axis. The whole cycles within an interval take one call for each process
// of the CYCLIC axis (THEORY.md, T33).
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
  if (o.partners() == nullptr && !is_product(o))
    return is_cyclic(o) || pairs_of(o) > max_pieces(o) ? by_sorting(o) : by_matrix(o);
  std::vector<Share> result;
  for (Index p = 0; p < o.a.procs; ++p)
    for (const auto& [q, length] : partners(o, p)) result.push_back(share(p, q, length));
  return result;
}

double max_shares(const Overlap& o) {
  if (is_product(o)) {
    double shares = 1;
    for (const Overlap& factor : *o.factors()) shares *= std::min(max_shares(factor), pairs_of(factor));
    return shares;
  }
  const double pieces = max_pieces(o);
  return is_cyclic(o) ? pieces : std::min(pieces, pairs_of(o));
}

Runs::Runs(const Overlap& o, Index p, Index q, Index k) : a_(o.a, p, k), b_(o.b, q, k), k_(k), n_(o.n) {}

Run Runs::next(Index limit) {
  for (;;) {
    const Index begin = std::max({k_, a_.start(), b_.start()});
    if (begin >= n_ || limit <= 0) return {n_, 0, 0, 0};
    const Index end = std::min({a_.end(), b_.end(), n_, begin + limit});
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

RunSeries Runs::next_series(Index limit) {
  RunSeries series{next(limit), 1, 0, 0, 0};
  const Run& run = series.first;
  if (run.length == limit) return series;
  // Skips the runs after `run` if `run` and they are whole blocks of one side, in one block of the other side. Returns
  // the number of skipped runs.
  const auto skip_equal = [&](BlockWalk& whole, BlockWalk& around) -> Index {
    const Index length = whole.end() - whole.start(), stride = whole.stride(), end = std::min(around.end(), n_);
    if (run.length != length || whole.start() != run.k + stride || around.start() > run.k || whole.end() > end)
      return 0;
    const Index count = std::min((end - whole.end()) / stride + 1, limit / length - 1);
    if (count == 0) return 0;
    k_ += count * stride;
    whole.skip(k_);
    if (k_ == around.end()) around.step();
    return count;
  };
  if (const Index of_a = skip_equal(a_, b_); of_a > 0)
    series = {run, 1 + of_a, a_.stride(), run.length, a_.stride()};
  else if (const Index of_b = skip_equal(b_, a_); of_b > 0)
    series = {run, 1 + of_b, b_.stride(), b_.stride(), run.length};
  return series;
}

}  // namespace xredist::core
