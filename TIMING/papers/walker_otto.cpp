// SPDX-License-Identifier: BSD-3-Clause
#include "papers/walker_otto.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include "schedule/classes.hpp"

namespace papers {

using namespace core;

namespace {

// Blocks of a superblock, P K, along an axis; and steps. A process's messages have as many parts as there are steps,
// even if most have no elements.
constexpr Index max_blocks_of_superblock = Index{1} << 20, max_steps = Index{1} << 20;

// One axis on P processes whose blocks grow K times. p and q are counted from the processes that hold the first small
// block of the large block that contains element 0. Small block B of a superblock is block b of process p before, and
// slot t of the large block of process q after: B = P b + p = K q + t (equation 4).
struct Growth {
  Index P = 1, K = 1, p_start = 0, q_start = 0;
  bool shrinks = false;  ///< the roles of p and q are exchanged

  // Returns the parts of the message from p to q, one for each small block that they share, in the order of their
  // steps; step(p, q, b, t) is that of a block.
  template <class Step>
  Parts parts(Index p, Index q, const Step& step) const {
    if (shrinks) std::swap(p, q);
    p = modulo(p - p_start, P);
    q = modulo(q - q_start, P);
    Parts found;
    for (Index t = modulo(p - K * q, P); t < K; t += P) found.push_back({step(p, q, (K * q + t - p) / P, t), 1});
    std::ranges::sort(found, {}, &Part::step);
    return found;
  }
};

// Returns the reason why an axis neither grows nor shrinks by a whole number, or nothing.
std::string_view why_not(const Overlap& o) {
  if (o.a.procs != o.b.procs) return "needs as many processes before as after along each axis";
  if (o.a.procs == 1) return {};
  if (!is_cyclic(o)) return "needs blocks, not partitions";
  const auto [small, large] = std::minmax(o.a, o.b, [](const Axis& x, const Axis& y) { return x.block() < y.block(); });
  if (large.block() % small.block() != 0) return "needs one block size a multiple of the other along each axis";
  if (modulo(small.first - large.first % large.block(), small.block()) != 0) return "needs blocks that begin together";
  if (large.block() / small.block() > max_blocks_of_superblock / small.procs) return "too many blocks in a superblock";
  return {};
}

// Requires an axis that grows or shrinks.
Growth growth(const Overlap& o) {
  if (o.a.procs == 1) return {};
  const bool shrinks = o.a.block() > o.b.block();
  const Axis& small = shrinks ? o.b : o.a;
  const Axis& large = shrinks ? o.a : o.b;
  const Index before = large.first % large.block();  // elements between the large block's first and element 0
  const Index start = modulo((small.first - before) / small.block() + small.source(), small.procs);
  return {o.a.procs, large.block() / small.block(), start, owner(large, 0), shrinks};
}

// Returns the product of both axes; order(growth) returns the function `step` of Growth::parts().
template <class Order>
std::optional<Schedule> ordered(const Traffic& traffic, Order order) {
  if (!why_no_growth(traffic).empty()) return std::nullopt;
  const Growth rows = growth(traffic.rows), cols = growth(traffic.cols);
  return product({rows.K, [rows, step = order(rows)](Coord p, Coord q) { return rows.parts(p.row, q.row, step); }},
                 {cols.K, [cols, step = order(cols)](Coord p, Coord q) { return cols.parts(p.col, q.col, step); }});
}

// Equation 11 has t = g floor(k/g) + (floor(q/P') + k mod g) mod g with g = gcd(P, K) and P = g P'. Here k is found:
// k = g floor(t/g) + (t - floor(q/P')) mod g. Each q takes each k once, because g divides K. Two q that receive from
// one p in one step are equal (appendix A): their slots agree in floor(t/g), and modulo g, because K (q - q') + t - t'
// is a multiple of P and so of g; then q - q' is a multiple of P', and floor(q/P') is known modulo g from k.
auto permuted(const Growth& growth) {
  const Index g = std::gcd(growth.P, growth.K);
  return [g, block = growth.P / g](Index, Index q, Index, Index t) { return t / g * g + modulo(t - q / block, g); };
}

auto by_number(const Growth&) {
  return [](Index, Index, Index b, Index) { return b; };
}

// std::shuffle would differ between standard libraries, and all processes must agree.
auto shuffled(const Growth& growth) {
  std::vector<Index> order(as_size(growth.P * growth.K));
  std::mt19937_64 random(static_cast<std::uint64_t>(growth.P * 7919 + growth.K));
  for (Index p = 0; p < growth.P; ++p) {
    const auto own = order.begin() + p * growth.K;
    std::iota(own, own + growth.K, Index{0});
    for (Index k = growth.K; k > 1; --k) std::swap(own[k - 1], own[static_cast<Index>(random() % as_size(k))]);
  }
  return [K = growth.K, all = std::make_shared<const std::vector<Index>>(std::move(order))](
             Index p, Index, Index b, Index) { return at(*all, p * K + b); };
}

// The axis that has L = lcm(r1, r2) elements in a block, each of which begins with a block of either side: its first
// index is that of A modulo r1 and that of B modulo r2.
Axis between(const Axis& a, const Axis& b) {
  const Index common = std::gcd(a.block(), b.block()), factor = b.block() / common;
  const Index from = a.first % a.block(), to = b.first % b.block();
  const Index blocks = modulo((to - from) / common * inverse(a.block() / common, factor), factor);
  return {a.block() * factor, a.procs, a.source(), from + a.block() * blocks};
}

bool stays(const Overlap& o) { return o.a.procs == 1 || o.a == o.b; }

std::string_view why_no_passes_along(const Overlap& o) {
  if (stays(o) || why_not(o).empty()) return why_not(o);
  if (o.a.procs != o.b.procs || !is_cyclic(o)) return why_not(o);
  const Index common = std::gcd(o.a.block(), o.b.block());
  if ((o.a.first - o.b.first) % common != 0) return "needs blocks that begin together";
  if (std::max(o.a.block(), o.b.block()) / common > max_blocks_of_superblock / o.a.procs)
    return "too many blocks in a superblock";
  return {};
}

// Returns the distributions of an axis after each pass.
std::vector<Axis> after_passes(const Overlap& o) {
  if (stays(o)) return {};
  if (why_not(o).empty()) return {o.b};
  return {between(o.a, o.b), o.b};
}

}  // namespace

std::string_view why_no_growth(const Traffic& traffic) {
  for (const Overlap* o : {&traffic.rows, &traffic.cols})
    if (const std::string_view why = why_not(*o); !why.empty()) return why;
  if (growth(traffic.rows).K > max_steps / growth(traffic.cols).K) return "too many steps";
  return {};
}

std::optional<Schedule> walker_otto(const Traffic& traffic) { return ordered(traffic, permuted); }
std::optional<Schedule> wo_simple(const Traffic& traffic) { return ordered(traffic, by_number); }
std::optional<Schedule> wo_random(const Traffic& traffic) { return ordered(traffic, shuffled); }

std::string_view why_no_passes(const Traffic& traffic) {
  const std::string_view rows = why_no_passes_along(traffic.rows);
  return rows.empty() ? why_no_passes_along(traffic.cols) : rows;
}

std::vector<cases::Case> passes(const cases::Case& c) {
  const Traffic traffic = traffic_of(c);
  if (!why_no_passes(traffic).empty()) return {};
  std::vector<cases::Matrix> stations{c.a};
  for (const Axis& axis : after_passes(traffic.rows)) {
    cases::Matrix& x = stations.emplace_back(stations.back());
    x.mb = axis.block(), x.rsrc = static_cast<int>(axis.source()), x.i = axis.first + 1, x.M = axis.first + c.m;
  }
  for (const Axis& axis : after_passes(traffic.cols)) {
    cases::Matrix& x = stations.emplace_back(stations.back());
    x.nb = axis.block(), x.csrc = static_cast<int>(axis.source()), x.j = axis.first + 1, x.N = axis.first + c.n;
  }
  if (stations.size() == 1) stations.push_back(c.b);
  stations.back() = c.b;
  std::vector<cases::Case> all;
  for (std::size_t k = 1; k < stations.size(); ++k) {
    cases::Case pass = c;
    pass.a = stations[k - 1];
    pass.b = stations[k];
    all.push_back(std::move(pass));
  }
  return all;
}

}  // namespace papers
