// SPDX-License-Identifier: BSD-3-Clause
#include "layout/product_runs.hpp"

#include <algorithm>

namespace xredist::core {

ProductRuns::ProductRuns(const Overlap& product, Index own, bool sending) : overlaps_(product.factors()) {
  factors_.reserve(overlaps_->size());
  for (const Overlap& o : *overlaps_) {
    const Index procs = sending ? o.a.procs : o.b.procs, coordinate = own % procs;
    factors_.push_back({&o, coordinate, sending ? o.b.procs : o.a.procs, sending,
                        partners(sending ? o : reversed(o), coordinate), RunTable(o, coordinate, sending)});
    own /= procs;
  }
}

Index ProductRuns::Factor::elements(Index peer) const {
  const auto found = std::ranges::lower_bound(partners, peer, {}, &Partner::peer);
  return found != partners.end() && found->peer == peer ? found->length : 0;
}

Runs ProductRuns::Factor::runs_from(Index peer, Index begin) const {
  Runs runs(*overlap, sending ? own : peer, sending ? peer : own);
  while (begin > 0) {
    const RunSeries series = runs.next_series(begin);
    begin -= series.count * series.first.length;
  }
  return runs;
}

}  // namespace xredist::core
