// SPDX-License-Identifier: BSD-3-Clause
// The facts that src/layout computes, found by visiting every element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "layout/overlap.hpp"
#include "layout/partition.hpp"
#include "schedule/schedule.hpp"
#include "support/owners.hpp"

namespace xredist::testing {

using namespace core;

/// The number of elements that each pair (sender, receiver) shares along an axis.
class Volumes {
 public:
  Volumes(Index lefts, Index rights) : lefts_(lefts), rights_(rights), cells_(as_size(lefts * rights), 0) {}

  Index& operator()(Index p, Index q) { return at(cells_, p * rights_ + q); }
  Index operator()(Index p, Index q) const { return at(cells_, p * rights_ + q); }
  Index lefts() const { return lefts_; }
  Index rights() const { return rights_; }

 private:
  Index lefts_, rights_;
  std::vector<Index> cells_;
};

/// Returns the process that holds element g of the matrix.
inline Index holder(const Axis& axis, Index g) {
  if (is_cyclic(axis)) return owner_in_blocks(g, axis.block(), axis.source(), axis.procs);
  for (const OwnedInterval& interval : axis.partition()->intervals())
    if (g < interval.end) return interval.owner;
  return -1;
}

/// Returns the local index of element g on its process.
inline Index place_of(const Axis& axis, Index g) {
  if (is_cyclic(axis)) return g / (axis.block() * axis.procs) * axis.block() + g % axis.block();
  for (const OwnedInterval& interval : axis.partition()->intervals())
    if (g < interval.end) return interval.local + (g - interval.begin);
  return -1;
}

inline Volumes volumes(const Overlap& o);

/// Returns the products of the volumes of the factors. The first factor is the fastest in the numbers of processes.
inline Volumes volumes_of_product(const std::vector<Overlap>& factors) {
  Volumes all(1, 1);
  all(0, 0) = 1;
  for (const Overlap& factor : factors) {
    const Volumes along = volumes(factor);
    Volumes extended(all.lefts() * along.lefts(), all.rights() * along.rights());
    for (Index p = 0; p < extended.lefts(); ++p)
      for (Index q = 0; q < extended.rights(); ++q)
        extended(p, q) = all(p % all.lefts(), q % all.rights()) * along(p / all.lefts(), q / all.rights());
    all = extended;
  }
  return all;
}

inline Volumes volumes(const Overlap& o) {
  if (is_product(o)) return volumes_of_product(*o.factors());
  Volumes volumes(o.a.procs, o.b.procs);
  for (Index k = 0; k < o.n; ++k) ++volumes(holder(o.a, o.a.first + k), holder(o.b, o.b.first + k));
  return volumes;
}

/// The maximum number of messages, and of elements, that one process sends and receives along an axis.
struct Most {
  Index sends = 0, receives = 0, sent = 0, received = 0;
};

inline Most most_of(const Volumes& volumes) {
  struct Load {
    Index messages = 0, elements = 0;
  };
  std::vector<Load> receivers(as_size(volumes.rights()));
  Most most;
  for (Index p = 0; p < volumes.lefts(); ++p) {
    Load sender;
    for (Index q = 0; q < volumes.rights(); ++q) {
      if (volumes(p, q) == 0) continue;
      for (Load* load : {&sender, &at(receivers, q)}) {
        ++load->messages;
        load->elements += volumes(p, q);
      }
    }
    most.sends = std::max(most.sends, sender.messages);
    most.sent = std::max(most.sent, sender.elements);
  }
  for (const Load& receiver : receivers) {
    most.receives = std::max(most.receives, receiver.messages);
    most.received = std::max(most.received, receiver.elements);
  }
  return most;
}

/// All messages of a traffic: the message p -> q has rows(p.row, q.row) times cols(p.col, q.col) elements.
struct Truth {
  Volumes rows, cols;
  Most row_most, col_most;

  explicit Truth(const Traffic& traffic)
      : rows(volumes(traffic.rows)), cols(volumes(traffic.cols)), row_most(most_of(rows)), col_most(most_of(cols)) {}

  /// Returns Delta and T*, the lower bounds on steps and total of any schedule.
  Index steps() const { return std::max(row_most.sends * col_most.sends, row_most.receives * col_most.receives); }
  Index elements() const { return std::max(row_most.sent * col_most.sent, row_most.received * col_most.received); }
};

}  // namespace xredist::testing
