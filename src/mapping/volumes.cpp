// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/volumes.hpp"

#include <algorithm>
#include <bit>

namespace xredist::core {
namespace {

// Returns for each q the processes p that share elements with it, in descending order of length.
Grouped<Share> by_length(const Shared& axis) {
  std::vector<Share> all;
  for (Index p = 0; p < axis.p_count(); ++p)
    for (const Partner& partner : axis.of(p))
      if (partner.length > 0) all.push_back({static_cast<int>(p), static_cast<int>(partner.peer), partner.length});
  Grouped<Share> result(axis.q_count(), all, &Share::q);
  for (Index q = 0; q < axis.q_count(); ++q)
    std::ranges::stable_sort(result[q], std::ranges::greater{}, &Share::length);
  return result;
}

// Returns a number for each q, which is the same for all q with equal shares.
std::vector<Index> kinds(const Grouped<Share>& shares) {
  const auto same = [](const Share& x, const Share& y) { return x.p == y.p && x.length == y.length; };
  std::vector<std::pair<std::uint64_t, Index>> order;  // by a hash of the shares, so that few lists are compared
  for (Index q = 0; q < shares.groups(); ++q) {
    std::uint64_t hash = 0;
    for (const Share& share : shares[q])
      hash = (hash ^ static_cast<std::uint64_t>(share.p) ^ static_cast<std::uint64_t>(share.length) << 20) *
             0x9E3779B97F4A7C15;
    order.emplace_back(hash, q);
  }
  std::ranges::sort(order);
  std::vector<Index> result(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool known = k > 0 && order[k].first == order[k - 1].first &&
                       std::ranges::equal(shares[order[k].second], shares[order[k - 1].second], same);
    at(result, order[k].second) = known ? at(result, order[k - 1].second) : order[k].second;
  }
  return result;
}

}  // namespace

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

Descending::Descending(const Volumes& volumes)
    : rows_(by_length(volumes.rows)),
      cols_(by_length(volumes.cols)),
      row_kinds_(kinds(rows_)),
      col_kinds_(kinds(cols_)),
      a_cols_(volumes.cols.p_count()) {}

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
