// SPDX-License-Identifier: BSD-3-Clause
#include "layout/axis.hpp"

#include <algorithm>
#include <limits>

#include "layout/arithmetic.hpp"
#include "layout/cuts.hpp"

namespace xredist::core {

bool operator==(const Axis& x, const Axis& y) {
  if (x.procs != y.procs || x.first != y.first) return false;
  if (x.cuts == nullptr && y.cuts == nullptr) return x.block == y.block && x.source == y.source;
  return x.cuts == y.cuts || (x.cuts != nullptr && y.cuts != nullptr && *x.cuts == *y.cuts);
}

namespace {

// Out of line, so that what is asked of CYCLIC axes takes no more instructions for it.
[[gnu::noinline]] Index owner_in_cuts(const Cuts& cuts, Index k) { return cuts[cuts.number_at(k)].owner; }

[[gnu::noinline]] Index count_in_cuts(const Cuts& cuts, Index p, Index n) {
  const auto numbers = cuts.held_by(p);
  const auto after = std::ranges::upper_bound(numbers, n - 1, {}, [&](std::int32_t i) { return cuts[i].start; });
  if (after == numbers.begin()) return 0;
  const Cuts::Interval& last = cuts[after[-1]];
  return last.local + std::min(n, last.end) - last.start;
}

}  // namespace

Index owner(const Axis& axis, Index k) {
  if (!is_cyclic(axis)) return owner_in_cuts(*axis.cuts, axis.first + k);
  return ((axis.first + k) / axis.block + axis.source) % axis.procs;
}

Index local_count(const Axis& axis, Index p, Index n) {
  if (!is_cyclic(axis)) return count_in_cuts(*axis.cuts, p, n);
  const Index turn = modulo(p - axis.source, axis.procs);  // p's place in the deal
  const Index full = n / axis.block;
  const Index own = full / axis.procs + (turn < full % axis.procs ? 1 : 0);
  return own * axis.block + (turn == full % axis.procs ? n % axis.block : 0);
}

Index most_blocks(const Axis& axis, Index n) {
  if (!is_cyclic(axis)) return std::ssize(axis.cuts->intervals());
  return axis.procs == 1 ? 1 : n / axis.block + 2;
}

namespace {

// The first after `low` that is not `before`, which `low` is. By steps that double, then by halves: it is often near.
template <class Entry, class Before>
const Entry* next(const Entry* low, const Entry* last, Before before) {
  std::ptrdiff_t step = 1;
  while (last - low > step && before(low[step])) low += step, step *= 2;
  return std::partition_point(low + 1, low + std::min(step, last - low), before);
}

}  // namespace

BlockWalk::BlockWalk(const Axis& axis, Index p, Index k)
    : length_(axis.block), stride_(axis.block * axis.procs), cuts_(axis.cuts.get()), first_(axis.first) {
  if (cuts_ != nullptr) {
    begin(p, k);
    return;
  }
  const Index here = (axis.first + k) / axis.block;
  const Index ahead = modulo(p - here - axis.source, axis.procs);
  start_ = (here + ahead) * axis.block - axis.first;
  local_ = (here + ahead) / axis.procs * axis.block;
}

void BlockWalk::begin(Index p, Index k) {
  const auto numbers = cuts_->held_by(p);
  last_ = numbers.data() + numbers.size();
  const auto end = [this](std::int32_t i) { return (*cuts_)[i].end; };
  stand(numbers.data() + (std::ranges::upper_bound(numbers, first_ + k, {}, end) - numbers.begin()));
}

void BlockWalk::stand(const std::int32_t* number) {
  number_ = number;
  const Index beyond = std::numeric_limits<Index>::max() / 4;
  const Cuts::Interval interval =
      number == last_ ? Cuts::Interval{beyond, 2 * beyond, 0, 0} : (*cuts_)[static_cast<Index>(*number)];
  start_ = interval.start - first_;
  length_ = interval.end - interval.start;
  local_ = interval.local;
}

void BlockWalk::search(Index k) {
  stand(next(number_, last_, [&](std::int32_t i) { return (*cuts_)[i].end <= first_ + k; }));
}

BlockScan::BlockScan(const Axis& axis, Index k) : axis_(&axis) {
  if (is_cyclic(axis)) {
    number_ = (axis.first + k) / axis.block;
    owner_ = (number_ + axis.source) % axis.procs;
    end_ = (number_ + 1) * axis.block - axis.first;
  } else {
    number_ = axis.cuts->number_at(axis.first + k);
    stand();
  }
}

void BlockScan::stand() {
  const Cuts::Interval& interval = (*axis_->cuts)[number_];
  owner_ = interval.owner;
  end_ = interval.end - axis_->first;
}

Index BlockScan::local(Index k) const {
  if (is_cyclic(*axis_)) return number_ / axis_->procs * axis_->block + (axis_->block - (end_ - k));
  const Cuts::Interval& interval = (*axis_->cuts)[number_];
  return interval.local + (axis_->first + k - interval.start);
}

void BlockScan::step() {
  ++number_;
  if (is_cyclic(*axis_)) {
    end_ += axis_->block;
    if (++owner_ == axis_->procs) owner_ = 0;
  } else {
    stand();
  }
}

void BlockScan::skip(Index k) {
  if (is_cyclic(*axis_)) {
    *this = BlockScan(*axis_, k);
    return;
  }
  const Cuts::Interval *all = axis_->cuts->intervals().data(), *last = all + axis_->cuts->intervals().size();
  const Index place = axis_->first + k;
  number_ = next(all + number_, last, [&](const Cuts::Interval& i) { return i.end <= place; }) - all;
  stand();
}

}  // namespace xredist::core
