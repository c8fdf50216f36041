// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/case.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "layout/layout.hpp"
#include "layout/partition.hpp"
#include "schedule/algorithm.hpp"
#include "schedules/reader.hpp"
#include "support/owners.hpp"

namespace cases {
namespace {

using xredist::core::Axis;

std::string without_comments(const std::string& text) {
  std::string kept;
  bool comment = false;
  for (const char c : text) {
    comment = c != '\n' && (comment || c == '#');
    if (!comment) kept += c;
  }
  return kept;
}

std::string by(Index x, Index y) { return std::to_string(x).append("x").append(std::to_string(y)); }

Axis axis_of(const std::optional<Partition>& intervals, Index block, int procs, int source, Index first) {
  if (!intervals) return {block, procs, source, first};
  return {std::make_shared<const xredist::core::Partition>(intervals->cuts, intervals->owners, procs), first};
}

Index owner_of(const std::optional<Partition>& intervals, Index k, Index block, Index source, Index procs) {
  return intervals ? xredist::testing::owner_in_intervals(k, intervals->cuts, intervals->owners)
                   : xredist::testing::owner_in_blocks(k, block, source, procs);
}

std::string block_or_count(const std::optional<Partition>& intervals, Index block) {
  if (!intervals) return std::to_string(block);
  return std::string("[").append(std::to_string(intervals->owners.size())).append("]");
}

// Returns the positive multiple of the period that is nearest to `wanted`.
Index whole_periods(double wanted, const Axis& a, const Axis& b) {
  const std::optional<Index> period = period_of(a, b);
  if (!period) throw std::invalid_argument("a period of the case exceeds 2^62 elements");
  return std::max<Index>(1, std::llround(wanted / static_cast<double>(*period))) * *period;
}

}  // namespace

Partition read_partition(const std::string& name, const std::string& text, Index procs) {
  Reader reader(name, without_comments(text));
  Partition x{{0}, {}};
  bool owners_given = false;
  do {
    reader.next_line("an interval, END OWNER");
    x.cuts.push_back(reader.whole("the end of an interval, not before the previous end", x.cuts.back(),
                                  xredist::core::max_elements));
    if (x.owners.empty()) owners_given = !reader.at_line_end();
    if (!owners_given && !reader.at_line_end()) reader.wrong_next("no owner: the first line has none");
    if (!owners_given && std::ssize(x.owners) == procs)
      reader.wrong_next("an owner: there are more intervals than the " + std::to_string(procs) + " processes");
    x.owners.push_back(static_cast<int>(owners_given ? reader.whole("the owner", 0, procs - 1) : std::ssize(x.owners)));
    if (!reader.at_line_end()) reader.wrong_next("the end of the line");
  } while (!reader.at_end());
  return x;
}

Index row_owner(const Matrix& x, Index i) { return owner_of(x.rows, i, x.mb, x.rsrc, x.nprow); }

Index col_owner(const Matrix& x, Index j) { return owner_of(x.cols, j, x.nb, x.csrc, x.npcol); }

std::vector<int> ranks_of(const Matrix& x) {
  std::vector<int> ranks(as_size(x.processes()));
  std::iota(ranks.begin(), ranks.end(), x.first);
  return x.ranks.empty() ? ranks : x.ranks;
}

std::optional<xredist::core::Coord> coord_of(const Matrix& x, int rank) {
  const std::vector<int> ranks = ranks_of(x);
  const Index position = std::ranges::find(ranks, rank) - ranks.begin();
  if (position == x.processes()) return std::nullopt;
  return xredist::core::Coord{position / x.npcol, position % x.npcol};
}

Index processes(const Case& c) { return std::max(c.a.first + c.a.processes(), c.b.first + c.b.processes()); }

xredist::core::Layout layout_of(const Matrix& x) {
  return {axis_of(x.rows, x.mb, x.nprow, x.rsrc, x.i - 1), axis_of(x.cols, x.nb, x.npcol, x.csrc, x.j - 1)};
}

xredist::core::Traffic traffic_of(const Case& c) {
  const xredist::core::Layout a = layout_of(c.a), b = layout_of(c.b);
  return {xredist::core::Overlap(a.rows, b.rows, c.m), xredist::core::Overlap(a.cols, b.cols, c.n)};
}

xredist::core::Region region_of(const Case& c) {
  return c.trapezoid ? xredist::core::trapezoid(c.uplo, c.diag, c.m, c.n) : xredist::core::Region{};
}

Index elements_of(const Case& c) {
  if (!c.trapezoid) return c.m * c.n;
  Index sum = 0;
  for (Index j = 0; j < c.n; ++j) {
    const xredist::core::Interval rows = rows_of(region_of(c), j, c.m);
    sum += rows.end - rows.begin;
  }
  return sum;
}

namespace {

// Calls visit(sender, receiver, elements) with each message between different processes.
template <class Visit>
void for_messages(const Case& c, Visit visit) {
  const xredist::core::Traffic traffic = traffic_of(c);
  const xredist::core::Schedule schedule = xredist::core::rank_schedule(traffic);
  for (int row = 0; row < c.a.nprow; ++row)
    for (int col = 0; col < c.a.npcol; ++col)
      for (const xredist::core::Message& message : sends_of(traffic, schedule, {row, col})) {
        const int from = c.a.rank_at(row, col), to = c.b.rank_at(message.peer.row, message.peer.col);
        if (from != to) visit(from, to, message.elements());
      }
}

}  // namespace

Index messages_of(const Case& c) {
  Index count = 0;
  for_messages(c, [&](int, int, Index) { ++count; });
  return count;
}

Index port_elements(const Case& c, const std::vector<int>& nodes) {
  std::vector<Index> sent(as_size(processes(c)), 0), received = sent;
  Index max = 0;
  for (const bool by_node : {true, false}) {
    if (max > 0) break;
    for_messages(c, [&](int from, int to, Index elements) {
      const int source = by_node ? at(nodes, from) : from, target = by_node ? at(nodes, to) : to;
      if (source == target) return;
      max = std::max({max, at(sent, source) += elements, at(received, target) += elements});
    });
  }
  return max;
}

std::optional<Index> period_of(const Axis& a, const Axis& b) {
  const Index cycle_a = a.block() * a.procs, cycle_b = b.block() * b.procs;  // both below 2^62
  Index length;
  if (__builtin_mul_overflow(cycle_a / std::gcd(cycle_a, cycle_b), cycle_b, &length) || length > Index{1} << 62)
    return std::nullopt;
  return length;
}

Case of_about(Case c, double elements) {
  const xredist::core::Layout a = layout_of(c.a), b = layout_of(c.b);
  c.m = whole_periods(std::sqrt(elements), a.rows, b.rows);
  c.n = whole_periods(elements / static_cast<double>(c.m), a.cols, b.cols);
  for (Matrix* x : {&c.a, &c.b}) x->M = c.m, x->N = c.n;
  return c;
}

Case square_of(Case c, double elements) {
  c.m = c.n = std::llround(std::sqrt(elements));
  for (Matrix* x : {&c.a, &c.b}) x->M = c.m, x->N = c.n;
  return c;
}

std::string part_text(const Case& c) { return c.trapezoid ? std::string{c.uplo, c.diag} : "GE"; }

std::string grid_text(const Matrix& x) {
  std::string text = by(x.nprow, x.npcol);
  if (!x.ranks.empty()) text.append("*");
  if (x.first != 0) text.append("@").append(std::to_string(x.first));
  return text;
}

std::string block_text(const Matrix& x) {
  return block_or_count(x.rows, x.mb).append("x").append(block_or_count(x.cols, x.nb));
}

}  // namespace cases
