// SPDX-License-Identifier: BSD-3-Clause
// The number of elements that each process of A would keep at each position of B's grid.
#pragma once

#include <span>
#include <utility>

#include "layout/grouped.hpp"
#include "layout/layout.hpp"
#include "layout/traffic.hpp"

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

/// The volumes: the products of shared rows and columns. Positions are row-major in their grids.
struct Volumes {
  Shared rows, cols;

  Volumes(const Layout& a, const Layout& b, Index m, Index n)
      : rows(Overlap(a.rows, b.rows, m)), cols(Overlap(a.cols, b.cols, n)) {}
  explicit Volumes(const Traffic& traffic) : rows(traffic.rows), cols(traffic.cols) {}
  /// Makes the volumes of one dimension.
  explicit Volumes(Shared axis) : rows(std::move(axis)), cols(point) {}

  Index a_positions() const { return rows.p_count() * cols.p_count(); }
  Index b_positions() const { return rows.q_count() * cols.q_count(); }
  double elements(Index p, Index q) const {
    return static_cast<double>(rows(p / cols.p_count(), q / cols.q_count())) *
           static_cast<double>(cols(p % cols.p_count(), q % cols.q_count()));
  }
};

/// The volumes of each position of B's grid, the rows and the columns in descending order of their shared lengths.
class Descending {
 public:
  explicit Descending(const Volumes& volumes);

  /// Returns a number below that of B's positions. Positions with equal numbers share as much with each p.
  Index kind(Index q) const {
    return at(row_kinds_, q / cols_.groups()) * cols_.groups() + at(col_kinds_, q % cols_.groups());
  }

  /// Calls visit(p, volume) for the positions p of A's grid with which position q of B's shares at least `least`
  /// elements, `least` being at least 1. Each call returns the new `least`, which may not decrease.
  template <class Visit>
  void visit(Index q, Index least, Visit visit) const {
    const std::span<const Share> along = cols_[q % cols_.groups()];
    for (const Share& row : rows_[q / cols_.groups()]) {
      if (along.empty() || row.length * along.front().length < least) return;
      for (const Share& col : along) {
        const Index volume = row.length * col.length;
        if (volume < least) break;
        least = visit(as_size(row.p * a_cols_ + col.p), volume);
      }
    }
  }

 private:
  Grouped<Share> rows_, cols_;
  std::vector<Index> row_kinds_, col_kinds_;
  Index a_cols_;
};

/// Makes the maximum volume less than 2^bits: halves the lengths of the longer axis as often as necessary. Returns
/// whether no length was changed.
bool fit(Volumes& volumes, int bits);

}  // namespace xredist::core
