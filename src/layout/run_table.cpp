// SPDX-License-Identifier: BSD-3-Clause
#include "layout/run_table.hpp"

#include <algorithm>
#include <limits>

#include "layout/partition.hpp"

namespace xredist::core {
namespace {

// Returns the number of whole blocks of one side that a process has at least in each block of the other.
Index series_of(const Overlap& o) {
  if (!is_cyclic(o)) return 0;
  const Index r = o.a.block(), s = o.b.block();
  return std::max(r / s / o.b.procs, s / r / o.a.procs);
}

std::ptrdiff_t intervals(const Axis& axis) { return is_cyclic(axis) ? 0 : std::ssize(axis.partition()->intervals()); }

}  // namespace

// A lone process on both sides has a single run, which needs no table.
RunTable::RunTable(const Overlap& o, Index own, bool sending, bool joined)
    : series_(series_of(o)), period_(period(o)), step_a_(period_ / o.a.procs), step_b_(period_ / o.b.procs) {
  const Index end = std::min(o.n, period_);
  if (end > std::numeric_limits<std::uint32_t>::max() || (o.a.procs == 1 && o.b.procs == 1)) return;
  if (series_ >= min_long_series) return;
  const Axis &mine = sending ? o.a : o.b, &theirs = sending ? o.b : o.a;
  const auto small = [](Index x) { return static_cast<std::uint32_t>(x); };
  struct Found {
    Index peer;
    TableRun run;
  };
  std::vector<Found> found;
  std::vector<std::int32_t> last_of(as_size(theirs.procs), -1);  // for each peer, the index of its last run in `found`
  const bool joins = joined && !is_cyclic(o);
  const auto add = [&](Index peer, TableRun run) {
    std::int32_t& last = at(last_of, peer);
    if (last >= 0) {
      TableRun& previous = at(found, last).run;
      if (joins && previous.a + previous.length == run.a && previous.b + previous.length == run.b) {
        previous.length += run.length;
        return;
      }
      run.before = previous.before + previous.length;
    }
    last = static_cast<std::int32_t>(found.size());
    found.push_back({peer, run});
  };
  std::ptrdiff_t left = max_runs + intervals(o.a) + intervals(o.b);
  BlockWalk block(mine, own, 0);
  if (block.start() >= end) return;
  for (BlockScan other(theirs, std::max<Index>(block.start(), 0)); block.start() < end; block.step()) {
    const Index last = std::min(block.end(), end);
    Index k = std::max<Index>(block.start(), 0);
    if (other.end() <= k) other.skip(k);
    while (k < last) {
      if (left-- == 0) return;
      if (other.end() <= k) other.step();
      const Index length = std::min(last, other.end()) - k;
      const Index here = block.local(k), there = other.local(k);
      add(other.owner(), {sending ? here : there, sending ? there : here, small(k), small(length), 0});
      k += length;
    }
  }
  runs_ = {theirs.procs, found, &Found::peer, &Found::run};
}

RunTable::Pair RunTable::pair(Index peer) const { return {runs_[peer], period_, step_a_, step_b_}; }

TableRuns::TableRuns(const RunTable::Pair& pair, Index first) : pair_(pair) {
  if (first == 0) return;
  turn_ = first / pair.elements();
  const Index element = first % pair.elements();
  const auto after = std::ranges::upper_bound(pair.entries, element, {}, &RunTable::TableRun::before);
  index_ = as_size(after - pair.entries.begin()) - 1;
  offset_ = element - pair.entries[index_].before;
}

Run TableRuns::next(Index limit) {
  const Run run = pair_.run(pair_.entries[index_], turn_);
  const Index length = std::min(run.length - offset_, limit);
  const Run result{run.k + offset_, length, run.a + offset_, run.b + offset_};
  offset_ += length;
  if (offset_ < run.length) return result;
  offset_ = 0;
  if (++index_ < pair_.entries.size()) return result;
  index_ = 0;
  ++turn_;
  return result;
}

}  // namespace xredist::core
