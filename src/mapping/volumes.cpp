// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/volumes.hpp"

#include <algorithm>
#include <bit>

namespace xredist::core {

Shared::Shared(const Overlap& o) : q_count_(o.b.procs) {
  std::vector<std::pair<Index, Partner>> all;
  for (Index p = 0; p < o.a.procs; ++p)
    for (const Partner& partner : partners(o, p)) all.emplace_back(p, partner);
  using Entry = std::pair<Index, Partner>;
  of_p_ = {o.a.procs, all, &Entry::first, &Entry::second};
}

Index Shared::operator()(Index p, Index q) const {
  const auto found = std::ranges::lower_bound(of(p), q, {}, &Partner::peer);
  return found != of(p).end() && found->peer == q ? found->length : 0;
}

void Shared::halve() {
  for (Partner& partner : of_p_.values()) partner.length /= 2;
}

Index Shared::longest() const { return std::ranges::max_element(of_p_.values(), {}, &Partner::length)->length; }

bool fit(Volumes& volumes, int bits) {
  const auto width = [](const Shared& axis) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(axis.longest())));
  };
  bool exact = true;
  for (; width(volumes.rows) + width(volumes.cols) > bits; exact = false)
    (width(volumes.rows) > width(volumes.cols) ? volumes.rows : volumes.cols).halve();
  return exact;
}

}  // namespace xredist::core
