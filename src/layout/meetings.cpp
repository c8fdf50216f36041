// SPDX-License-Identifier: BSD-3-Clause
#include "layout/meetings.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace xredist::core {

Meetings::Meetings(const Overlap& o) : o_(o), bits_(static_cast<std::size_t>(o.b.procs + 63) / 64) {
  if (is_cyclic(o))
    turn_ = {static_cast<int>(o.a.block * o.a.procs / o.b.block % o.b.procs), o.a.block * o.a.procs % o.b.block};
}

const std::vector<int>& Meetings::of(Index p) {
  met_.clear();
  if (!is_cyclic(o_)) {
    for (const Partner& partner : partners(o_, p)) met_.push_back(static_cast<int>(partner.peer));
    return met_;
  }
  BlockWalk own(o_.a, p, 0);
  if (own.start() < 0) {
    meet(place(0), std::min(own.end(), o_.n));
    own.step();
  }
  Place at = place(own.start());
  for (; own.start() < o_.n && std::ssize(met_) < o_.b.procs; own.step(), at = next(at))
    meet(at, std::min(own.end(), o_.n) - own.start());
  // Few are sorted; many are read from the bits.
  if (met_.size() < bits_.size()) {
    std::ranges::sort(met_);
    for (const int q : met_) bits_[static_cast<std::size_t>(q) / 64] = 0;
  } else {
    read();
  }
  return met_;
}

Meetings::Place Meetings::place(Index k) const {
  return {static_cast<int>(owner(o_.b, k)), (o_.b.first + k) % o_.b.block};
}

// A turn of A further on: without a division, of which there would be one for each block.
Meetings::Place Meetings::next(Place at) const {
  at.q += turn_.q;
  if ((at.into += turn_.into) >= o_.b.block) {
    at.into -= o_.b.block;
    ++at.q;
  }
  if (at.q >= o_.b.procs) at.q -= static_cast<int>(o_.b.procs);
  return at;
}

// Those with some of `length` elements.
void Meetings::meet(Place at, Index length) {
  Index rest = at.into + length;
  for (Index left = o_.b.procs; left > 0 && rest > 0; --left, rest -= o_.b.block) {
    std::uint64_t& word = bits_[static_cast<std::size_t>(at.q) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (at.q % 64);
    if ((word & bit) == 0) met_.push_back(at.q);
    word |= bit;
    if (++at.q == o_.b.procs) at.q = 0;
  }
}

void Meetings::read() {
  met_.clear();
  for (std::size_t w = 0; w < bits_.size(); ++w)
    for (std::uint64_t bits = std::exchange(bits_[w], 0); bits != 0; bits &= bits - 1)
      met_.push_back(static_cast<int>(w) * 64 + std::countr_zero(bits));
}

}  // namespace xredist::core
