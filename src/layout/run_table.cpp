// SPDX-License-Identifier: BSD-3-Clause
#include "layout/run_table.hpp"

#include <algorithm>
#include <limits>

#include "layout/grouped.hpp"
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

// Calls visit(peer, run) for the runs of process `own` within [0, end), in ascending order; run.a is the local index on
// `own`. Gives up after `max` runs. Returns whether these were all.
template <class Visit>
bool for_runs(const Axis& mine, const Axis& theirs, Index own, Index end, Index max, Visit visit) {
  BlockWalk block(mine, own, 0);
  if (block.start() >= end) return true;
  for (BlockScan other(theirs, std::max<Index>(block.start(), 0)); block.start() < end; block.step()) {
    const Index last = std::min(block.end(), end);
    Index k = std::max<Index>(block.start(), 0);
    if (other.end() <= k) other.skip(k);
    while (k < last) {
      if (max-- == 0) return false;
      if (other.end() <= k) other.step();
      const Index length = std::min(last, other.end()) - k;
      visit(other.owner(), Run{k, length, block.local(k), other.local(k)});
      k += length;
    }
  }
  return true;
}

// A run with a process of the other side.
struct Found {
  std::int32_t peer;
  RunTable::TableRun run;
};

// Sorts runs by peer; those of a peer stay in their order. Counts the runs of each process, or compares if there are
// far more processes than runs.
std::vector<Found> by_peer(std::vector<Found> found, Index processes) {
  constexpr std::ptrdiff_t processes_per_compared_run = 16;
  if (std::ssize(found) * processes_per_compared_run >= processes)
    return Grouped<Found>(processes, found, &Found::peer).values();
  std::ranges::stable_sort(found, {}, &Found::peer);
  return found;
}

// Returns whether two runs of a peer are contiguous on both sides.
bool contiguous(const RunTable::TableRun& run, const RunTable::TableRun& next) {
  return run.a + run.length == next.a && run.b + run.length == next.b;
}

}  // namespace

// One block on both sides is a single run, which needs no table.
RunTable::RunTable(const Overlap& o, Index own, bool sending, bool joined)
    : series_(series_of(o)), period_(period(o)), step_a_(period_ / o.a.procs), step_b_(period_ / o.b.procs) {
  const Index end = std::min(o.n, period_);
  if (end > std::numeric_limits<std::uint32_t>::max()) return;
  if (is_cyclic(o) && o.a.procs == 1 && o.b.procs == 1) return;
  if (series_ >= min_long_series) return;
  const Axis &mine = sending ? o.a : o.b, &theirs = sending ? o.b : o.a;
  std::vector<Found> found;
  const auto add = [&](Index peer, const Run& run) {
    const auto small = [](Index x) { return static_cast<std::uint32_t>(x); };
    found.push_back({static_cast<std::int32_t>(peer),
                     {sending ? run.a : run.b, sending ? run.b : run.a, small(run.k), small(run.length), 0}});
  };
  if (!for_runs(mine, theirs, own, end, max_runs + intervals(o.a) + intervals(o.b), add)) return;
  const bool joins = joined && !is_cyclic(o);
  for (auto& [peer, run] : by_peer(std::move(found), theirs.procs)) {
    if (peers_.empty() || peers_.back() != peer) {
      peers_.push_back(peer);
      begins_.push_back(static_cast<std::uint32_t>(runs_.size()));
    } else if (TableRun& previous = runs_.back(); joins && contiguous(previous, run)) {
      previous.length += run.length;
      continue;
    } else {
      run.before = previous.before + previous.length;
    }
    runs_.push_back(run);
  }
  begins_.push_back(static_cast<std::uint32_t>(runs_.size()));
}

Index RunTable::bytes() const {
  return static_cast<Index>(runs_.capacity() * sizeof(TableRun) + peers_.capacity() * sizeof(std::int32_t) +
                            begins_.capacity() * sizeof(std::uint32_t));
}

RunTable::Pair RunTable::pair(Index peer) const {
  const auto number = std::ranges::lower_bound(peers_, peer) - peers_.begin();
  const std::uint32_t begin = at(begins_, number);
  return {{runs_.data() + begin, at(begins_, number + 1) - begin}, period_, step_a_, step_b_};
}

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
