// SPDX-License-Identifier: BSD-3-Clause
#include "layout/meetings.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace xredist::core {

Meetings::Meetings(const Overlap& o) : o_(o), bits_(as_size(o.b.procs + 63) / 64) {
  if (!is_cyclic(o)) return;
  block_ = o.b.block();
  const Index cycle = o.a.block() * o.a.procs;
  cycle_ = {static_cast<int>(cycle / block_ % o.b.procs), cycle % block_};
}

const std::vector<int>& Meetings::of(Index p) {
  met_.clear();
  if (!is_cyclic(o_)) {
    for (const Partner& partner : partners(o_, p)) met_.push_back(static_cast<int>(partner.peer));
    return met_;
  }
  BlockWalk own(o_.a, p, 0);
  if (own.start() < 0) {
    meet(position_of(0), std::min(own.end(), o_.n));
    own.step();
  }
  BlockPosition position = position_of(own.start());
  for (; own.start() < o_.n && std::ssize(met_) < o_.b.procs; own.step(), position = next(position))
    meet(position, std::min(own.end(), o_.n) - own.start());
  // Few receivers are sorted; many are read from the bits.
  if (met_.size() < bits_.size()) {
    std::ranges::sort(met_);
    for (const int q : met_) at(bits_, q / 64) = 0;
  } else {
    read_bits();
  }
  return met_;
}

Meetings::BlockPosition Meetings::position_of(Index k) const {
  return {static_cast<int>(owner(o_.b, k)), (o_.b.first + k) % block_};
}

// Returns the position a cycle of A further on.
Meetings::BlockPosition Meetings::next(BlockPosition position) const {
  position.q += cycle_.q;
  position.offset += cycle_.offset;
  if (position.offset >= block_) {
    position.offset -= block_;
    ++position.q;
  }
  if (position.q >= o_.b.procs) position.q -= static_cast<int>(o_.b.procs);
  return position;
}

// Adds the owners of `length` elements from the position on.
void Meetings::meet(BlockPosition position, Index length) {
  const Index block = block_, procs = o_.b.procs;
  Index rest = position.offset + length;
  for (Index left = procs; left > 0 && rest > 0; --left, rest -= block) {
    std::uint64_t& word = at(bits_, position.q / 64);
    const std::uint64_t bit = std::uint64_t{1} << (position.q % 64);
    if ((word & bit) == 0) met_.push_back(position.q);
    word |= bit;
    if (++position.q == procs) position.q = 0;
  }
}

void Meetings::read_bits() {
  met_.clear();
  for (std::size_t w = 0; w < bits_.size(); ++w)
    for (std::uint64_t bits = std::exchange(bits_[w], 0); bits != 0; bits &= bits - 1)
      met_.push_back(static_cast<int>(w) * 64 + std::countr_zero(bits));
}

}  // namespace xredist::core
