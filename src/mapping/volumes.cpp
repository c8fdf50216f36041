// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/volumes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace xredist::core {

Shared::Shared(const Overlap& o) : q_count_(o.b.procs) {
  for (Index p = 0; p < o.a.procs; ++p) of_p_.push_back(partners(o, p));
}

Index Shared::operator()(Index p, Index q) const {
  const auto found = std::ranges::lower_bound(of(p), q, {}, &Partner::peer);
  return found != of(p).end() && found->peer == q ? found->length : 0;
}

void Shared::reduce() {
  Index divisor = 0;
  for (const auto& own : of_p_)
    for (const Partner& share : own) divisor = std::gcd(divisor, share.length);
  for (auto& own : of_p_)
    for (Partner& share : own) share.length /= divisor;
}

void Shared::halve() {
  for (auto& own : of_p_)
    for (Partner& share : own) share.length /= 2;
}

Index Shared::longest() const {
  Index longest = 0;
  for (const auto& own : of_p_)
    for (const Partner& share : own) longest = std::max(longest, share.length);
  return longest;
}

bool fit(Volumes& volumes, int bits) {
  const auto width = [](const Shared& axis) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(axis.longest())));
  };
  volumes.rows.reduce();
  volumes.cols.reduce();
  bool exact = true;
  for (; width(volumes.rows) + width(volumes.cols) > bits; exact = false)
    (width(volumes.rows) > width(volumes.cols) ? volumes.rows : volumes.cols).halve();
  return exact;
}

}  // namespace xredist::core
