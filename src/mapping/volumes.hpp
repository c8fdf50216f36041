// SPDX-License-Identifier: BSD-3-Clause
// The number of elements that each process of A would keep at each position of B's grid.
#pragma once

#include <span>
#include <utility>

#include "layout/layout.hpp"
#include "layout/overlap.hpp"

namespace xredist::core {

/// The number of elements that each p of A and each q of B share along one dimension. Zeros take no memory.
class Shared {
 public:
  /// Takes time proportional to the number of blocks in one period.
  explicit Shared(const Overlap& o);

  Index p_count() const { return of_p_.groups(); }
  Index q_count() const { return q_count_; }
  Index operator()(Index p, Index q) const;
  /// Returns the processes that share elements with p, in ascending order.
  std::span<const Partner> of(Index p) const { return of_p_[p]; }

  /// Divides all lengths by 2 and rounds down.
  void halve();
  Index longest() const;

 private:
  Index q_count_;
  Grouped<Partner> of_p_;
};

/// The volumes: in two dimensions, the products of shared rows and columns. Positions are row-major in their grids.
struct Volumes {
  Shared rows, cols;

  Volumes(const Layout& a, const Layout& b, Index m, Index n)
      : rows(Overlap(a.rows, b.rows, m)), cols(Overlap(a.cols, b.cols, n)) {}
  /// Makes the volumes of one dimension.
  explicit Volumes(Shared axis) : rows(std::move(axis)), cols(point) {}

  Index a_positions() const { return rows.p_count() * cols.p_count(); }
  Index b_positions() const { return rows.q_count() * cols.q_count(); }
  double elements(Index p, Index q) const {
    return static_cast<double>(rows(p / cols.p_count(), q / cols.q_count())) *
           static_cast<double>(cols(p % cols.p_count(), q % cols.q_count()));
  }
};

/// Makes the maximum volume less than 2^bits: halves the lengths of the longer axis as often as necessary. Returns
/// whether no length was changed.
bool fit(Volumes& volumes, int bits);

}  // namespace xredist::core
