// SPDX-License-Identifier: BSD-3-Clause
// How many elements each process of A would keep at each position of B's grid.
#pragma once

#include <utility>
#include <vector>

#include "layout/layout.hpp"
#include "layout/overlap.hpp"

namespace xredist::core {

/// Along one dimension: how many elements p of A and q of B share. Zeros take no memory.
class Shared {
 public:
  /// Takes period / r + period / s steps: all blocks of one period.
  explicit Shared(const Overlap& o);

  Index p_count() const { return static_cast<Index>(of_p_.size()); }
  Index q_count() const { return q_count_; }
  Index operator()(Index p, Index q) const;
  /// The processes with which p shares elements, in ascending order.
  const std::vector<Partner>& of(Index p) const { return of_p_[static_cast<std::size_t>(p)]; }

  /// Divides all lengths by their greatest common divisor.
  void reduce();
  /// Divides all lengths by 2 and rounds down.
  void halve();
  Index longest() const;

 private:
  Index q_count_;
  std::vector<std::vector<Partner>> of_p_;
};

/// In two dimensions volumes are products. Positions are row-major in their grids.
struct Volumes {
  Shared rows, cols;

  Volumes(const Layout& a, const Layout& b, Index m, Index n)
      : rows(overlap(a.rows, b.rows, m)), cols(overlap(a.cols, b.cols, n)) {}
  /// One dimension.
  explicit Volumes(Shared axis) : rows(std::move(axis)), cols(point) {}

  Index a_positions() const { return rows.p_count() * cols.p_count(); }
  Index b_positions() const { return rows.q_count() * cols.q_count(); }
  double elements(Index p, Index q) const {
    return static_cast<double>(rows(p / cols.p_count(), q / cols.q_count())) *
           static_cast<double>(cols(p % cols.p_count(), q % cols.q_count()));
  }
};

/// Makes the largest volume less than 2^bits: divides each axis by its greatest common divisor, then halves the longer
/// one as often as necessary. Returns false if that had to round.
bool fit(Volumes& volumes, int bits);

}  // namespace xredist::core
