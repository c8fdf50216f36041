// SPDX-License-Identifier: BSD-3-Clause
#include "layout/run_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "layout/cuts.hpp"

namespace xredist::core {

namespace {

// A local index that none of the submatrix's elements is below, on any process.
Index least_local(const Axis& axis) {
  if (!is_cyclic(axis)) return 0;
  return axis.procs == 1 ? axis.first : axis.first / axis.block / axis.procs * axis.block;
}

// Local indices of processes differ by up to a block and a period's share.
constexpr Index most_local = std::numeric_limits<std::int32_t>::max();
bool fits(const Axis& axis, Index end) {
  if (!is_cyclic(axis)) return axis.cuts->extent() <= most_local;
  return end <= most_local && (axis.procs == 1 || axis.block <= most_local);
}

Index intervals(const Axis& axis) { return is_cyclic(axis) ? 0 : std::ssize(axis.cuts->intervals()); }

}  // namespace

struct RunTable::Found {
  Index peer;
  TableRun entry;
};

// One process on both sides has a single run, which needs no table.
RunTable::RunTable(const Overlap& o, Index own, bool sending, bool joined)
    : period_(period(o)),
      step_a_(period_ / o.a.procs),
      step_b_(period_ / o.b.procs),
      first_a_(least_local(o.a)),
      first_b_(least_local(o.b)) {
  const Index end = std::min(o.n, period_);
  if (!fits(o.a, end) || !fits(o.b, end) || (o.a.procs == 1 && o.b.procs == 1)) return;
  const Axis &mine = sending ? o.a : o.b, &theirs = sending ? o.b : o.a;
  const Index first_mine = sending ? first_a_ : first_b_, first_theirs = sending ? first_b_ : first_a_;
  const auto small = [](Index x) { return static_cast<std::uint32_t>(x); };
  const std::size_t most = most_runs + static_cast<std::size_t>(intervals(o.a) + intervals(o.b));
  std::vector<Found> found;
  BlockWalk block(mine, own, 0);
  if (block.start() >= end) return;
  for (BlockScan other(theirs, std::max<Index>(block.start(), 0)); block.start() < end; block.step()) {
    const Index last = std::min(block.end(), end);
    Index k = std::max<Index>(block.start(), 0);
    if (other.end() <= k) other.skip(k);
    while (k < last) {
      if (found.size() == most) return;
      if (other.end() <= k) other.step();
      const Index length = std::min(last, other.end()) - k;
      const Index here = block.local(k) - first_mine, there = other.local(k) - first_theirs;
      found.push_back(
          {other.owner(), {small(k), small(length), small(sending ? here : there), small(sending ? there : here), 0}});
      k += length;
    }
  }
  fill(found, theirs.procs);
  if (joined && !is_cyclic(o)) join();
}

void RunTable::fill(const std::vector<Found>& found, Index peers) {
  begins_.assign(static_cast<std::size_t>(peers) + 1, 0);
  for (const Found& f : found) ++begins_[static_cast<std::size_t>(f.peer) + 1];
  for (std::size_t peer = 1; peer < begins_.size(); ++peer) begins_[peer] += begins_[peer - 1];
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  entries_.resize(found.size());
  for (const Found& f : found) entries_[next[static_cast<std::size_t>(f.peer)]++] = f.entry;
  for (std::size_t peer = 0; peer + 1 < begins_.size(); ++peer)
    for (std::size_t e = begins_[peer] + 1; e < begins_[peer + 1]; ++e)
      entries_[e].before = entries_[e - 1].before + entries_[e - 1].length;
}

void RunTable::join() {
  std::size_t kept = 0;
  for (std::size_t peer = 0; peer + 1 < begins_.size(); ++peer) {
    const std::size_t begin = kept;
    for (std::size_t e = std::exchange(begins_[peer], begin); e < begins_[peer + 1]; ++e) {
      const TableRun& next = entries_[e];
      TableRun* last = kept > begin ? &entries_[kept - 1] : nullptr;
      if (last != nullptr && last->a + last->length == next.a && last->b + last->length == next.b)
        last->length += next.length;
      else
        entries_[kept++] = next;
    }
  }
  begins_.back() = kept;
  entries_.resize(kept);
  entries_.shrink_to_fit();
}

RunTable::Pair RunTable::pair(Index peer) const {
  const std::size_t begin = begins_[static_cast<std::size_t>(peer)], end = begins_[static_cast<std::size_t>(peer) + 1];
  return {{&entries_[begin], end - begin}, period_, step_a_, step_b_, first_a_, first_b_};
}

TableRuns::TableRuns(const RunTable::Pair& pair, Index first) : pair_(pair), turn_(first / pair.elements()) {
  const Index place = first % pair.elements();
  const auto after = std::ranges::upper_bound(pair.entries, place, {}, &RunTable::TableRun::before);
  entry_ = static_cast<std::size_t>(after - pair.entries.begin()) - 1;
  offset_ = place - pair.entries[entry_].before;
}

Run TableRuns::next(Index most) {
  const RunTable::TableRun& entry = pair_.entries[entry_];
  const Run run = pair_.run(entry, turn_);
  const Index length = std::min(run.length - offset_, most);
  const Run result{run.k + offset_, length, run.a + offset_, run.b + offset_};
  offset_ += length;
  if (offset_ < run.length) return result;
  offset_ = 0;
  if (++entry_ < pair_.entries.size()) return result;
  entry_ = 0;
  ++turn_;
  return result;
}

}  // namespace xredist::core
