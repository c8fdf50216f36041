// SPDX-License-Identifier: BSD-3-Clause
#include "layout/axis.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "layout/partition.hpp"

namespace xredist::core {

Axis::Axis(std::shared_ptr<const Partition> partition_of_matrix, Index first_element)
    : procs(partition_of_matrix->procs()), first(first_element), distribution(std::move(partition_of_matrix)) {}

bool operator==(const Axis& x, const Axis& y) {
  if (x.procs != y.procs || x.first != y.first) return false;
  const Partition *of_x = x.partition(), *of_y = y.partition();
  return of_x != nullptr && of_y != nullptr ? *of_x == *of_y : x.distribution == y.distribution;
}

namespace {

// The functions for partitions are not inlined: the code for CYCLIC axes then executes fewer instructions.
[[gnu::noinline]] Index owner_in(const Partition& partition, Index k) {
  return partition[partition.number_at(k)].owner;
}

[[gnu::noinline]] Index count_in(const Partition& partition, Index p, Index n) {
  const auto numbers = partition.numbers_of(p);
  if (!partition.in_order()) {
    Index count = 0;
    for (const std::int32_t i : numbers)
      count += std::max<Index>(std::min(n, partition[i].end) - partition[i].begin, 0);
    return count;
  }
  const auto after = std::ranges::upper_bound(numbers, n - 1, {}, [&](std::int32_t i) { return partition[i].begin; });
  if (after == numbers.begin()) return 0;
  const OwnedInterval& last = partition[after[-1]];
  return last.local + std::min(n, last.end) - last.begin;
}

// Returns the bounds of the places of elements [begin, end); {0, 0} without elements.
[[gnu::noinline]] Interval places_in(const Partition& partition, Index p, const Interval& elements) {
  Interval places{std::numeric_limits<Index>::max(), 0};
  for (const std::int32_t i : partition.numbers_of(p)) {
    const OwnedInterval& interval = partition[i];
    const Index begin = std::max(interval.begin, elements.begin), end = std::min(interval.end, elements.end);
    if (begin >= end) continue;
    places.begin = std::min(places.begin, interval.local + (begin - interval.begin));
    places.end = std::max(places.end, interval.local + (end - interval.begin));
  }
  return places.end > 0 ? places : Interval{};
}

}  // namespace

bool in_order(const Axis& axis) { return is_cyclic(axis) || axis.partition()->in_order(); }

bool repeats(const Axis& axis) { return !is_cyclic(axis) && axis.partition()->repeats(); }

Interval local_range_in_partition(const Axis& axis, Index p, Index n) {
  if (!axis.partition()->in_order()) return places_in(*axis.partition(), p, {axis.first, axis.first + n});
  return {local_count(axis, p, axis.first), local_count(axis, p, axis.first + n)};
}

Index local_extent(const Axis& axis, Index p, Index n) {
  return in_order(axis) ? local_count(axis, p, n) : places_in(*axis.partition(), p, {0, n}).end;
}

Index owner(const Axis& axis, Index k) {
  const auto* cyclic = std::get_if<BlockCyclic>(&axis.distribution);
  if (cyclic == nullptr) return owner_in(*axis.partition(), axis.first + k);
  return ((axis.first + k) / cyclic->block + cyclic->source) % axis.procs;
}

Index local_count(const Axis& axis, Index p, Index n) {
  const auto* cyclic = std::get_if<BlockCyclic>(&axis.distribution);
  if (cyclic == nullptr) return count_in(*axis.partition(), p, n);
  const Index position = modulo(p - cyclic->source, axis.procs);  // of p among the owners of a cycle's blocks
  const Index full = n / cyclic->block;
  const Index own = full / axis.procs + (position < full % axis.procs ? 1 : 0);
  return own * cyclic->block + (position == full % axis.procs ? n % cyclic->block : 0);
}

void list_elements(const Axis& axis, Index p, Index n, Index base, Index* held) {
  const Index count = local_extent(axis, p, n);
  const auto list = [&](Index local, Index length, Index first) {
    std::iota(held + local, held + std::min(local + length, count), base + first);
  };
  if (const Partition* partition = axis.partition()) {
    std::fill_n(held, count, base - 1);
    for (const std::int32_t number : partition->numbers_of(p)) {
      const OwnedInterval& interval = (*partition)[number];
      if (interval.begin >= n) break;
      list(interval.local, std::min(interval.end, n) - interval.begin, interval.begin);
    }
    return;
  }
  const Index position = modulo(p - axis.source(), axis.procs);
  for (Index local = 0; local < count; local += axis.block())
    list(local, axis.block(), (local / axis.block() * axis.procs + position) * axis.block());
}

Index max_blocks(const Axis& axis, Index n) {
  if (!is_cyclic(axis)) return std::ssize(axis.partition()->intervals());
  return axis.procs == 1 ? 1 : n / axis.block() + 2;
}

namespace {

// Returns the first entry after `low` for which before(entry) is false; before(*low) must be true. Gallops before it
// bisects, because the entry is often near.
template <class Entry, class Before>
const Entry* next(const Entry* low, const Entry* last, Before before) {
  std::ptrdiff_t step = 1;
  while (last - low > step && before(low[step])) low += step, step *= 2;
  return std::partition_point(low + 1, low + std::min(step, last - low), before);
}

}  // namespace

BlockWalk::BlockWalk(const Axis& axis, Index p, Index k) : partition_(axis.partition()), first_(axis.first) {
  if (partition_ != nullptr)
    begin_partition(p, k);
  else
    begin_cyclic(axis, p, k);
}

void BlockWalk::begin_cyclic(const Axis& axis, Index p, Index k) {
  const auto [block, source] = std::get<BlockCyclic>(axis.distribution);
  const Index here = (axis.first + k) / block;
  const Index ahead = modulo(p - here - source, axis.procs);
  length_ = block;
  stride_ = block * axis.procs;
  start_ = (here + ahead) * block - axis.first;
  local_ = (here + ahead) / axis.procs * block;
}

void BlockWalk::begin_partition(Index p, Index k) {
  const auto numbers = partition_->numbers_of(p);
  last_ = numbers.data() + numbers.size();
  const auto end = [this](std::int32_t i) { return (*partition_)[i].end; };
  set_interval(numbers.data() + (std::ranges::upper_bound(numbers, first_ + k, {}, end) - numbers.begin()));
}

void BlockWalk::set_interval(const std::int32_t* interval) {
  constexpr Index beyond = std::numeric_limits<Index>::max() / 4;
  interval_ = interval;
  const OwnedInterval current =
      interval == last_ ? OwnedInterval{{beyond, 2 * beyond}, 0, 0} : (*partition_)[*interval];
  start_ = current.begin - first_;
  length_ = current.length();
  local_ = current.local;
}

void BlockWalk::search(Index k) {
  set_interval(next(interval_, last_, [&](std::int32_t i) { return (*partition_)[i].end <= first_ + k; }));
}

BlockScan::BlockScan(const Axis& axis, Index k) : axis_(&axis) {
  if (const auto* cyclic = std::get_if<BlockCyclic>(&axis.distribution)) {
    number_ = (axis.first + k) / cyclic->block;
    owner_ = (number_ + cyclic->source) % axis.procs;
    end_ = (number_ + 1) * cyclic->block - axis.first;
  } else {
    set_interval(axis.partition()->number_at(axis.first + k));
  }
}

void BlockScan::set_interval(Index number) {
  number_ = number;
  const OwnedInterval& interval = (*axis_->partition())[number];
  owner_ = interval.owner;
  end_ = interval.end - axis_->first;
}

Index BlockScan::local(Index k) const {
  if (const auto* cyclic = std::get_if<BlockCyclic>(&axis_->distribution))
    return number_ / axis_->procs * cyclic->block + (cyclic->block - (end_ - k));
  const OwnedInterval& interval = (*axis_->partition())[number_];
  return interval.local + (axis_->first + k - interval.begin);
}

void BlockScan::step() {
  if (const auto* cyclic = std::get_if<BlockCyclic>(&axis_->distribution)) {
    ++number_;
    end_ += cyclic->block;
    if (++owner_ == axis_->procs) owner_ = 0;
  } else {
    set_interval(number_ + 1);
  }
}

void BlockScan::skip(Index k) {
  if (is_cyclic(*axis_)) {
    *this = BlockScan(*axis_, k);
    return;
  }
  const std::span all = axis_->partition()->intervals();
  const Index element = axis_->first + k;
  const auto before = [&](const OwnedInterval& i) { return i.end <= element; };
  set_interval(next(all.data() + number_, all.data() + all.size(), before) - all.data());
}

}  // namespace xredist::core
