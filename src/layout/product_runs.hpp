// SPDX-License-Identifier: BSD-3-Clause
// The runs of one process with all others along each factor of a product.
#pragma once

#include <memory>
#include <vector>

#include "layout/overlap.hpp"
#include "layout/run_table.hpp"

namespace xredist::core {

/// The elements that a process shares with each process of the other side along each factor of a product. Takes memory
/// in proportion to the sum of the factors' partners and to their tables, whatever the number of elements.
class ProductRuns {
 public:
  /// Has no factors.
  ProductRuns() = default;
  /// Tabulates the runs of process `own` of A if `sending`, otherwise of B.
  ProductRuns(const Overlap& product, Index own, bool sending);

  std::size_t factors() const { return factors_.size(); }

  /// One axis of the product, for the process.
  struct Factor {
    const Overlap* overlap;
    Index own, peers;  ///< the process's coordinate; the number of coordinates on the other side
    bool sending;
    std::vector<Partner> partners;
    RunTable table;

    /// Returns the number of elements that the process shares with a peer.
    Index elements(Index peer) const;
    /// Calls visit(run) for the runs of elements [begin, begin + count) of a pair, ascending.
    template <class Visit>
    void for_runs(Index peer, Index begin, Index count, Visit visit) const {
      if (table.empty())
        visit_runs(runs_from(peer, begin), count, visit);
      else
        visit_runs(TableRuns(table.pair(peer), begin), count, visit);
    }

   private:
    // Returns the runs of a pair from element `begin` on.
    Runs runs_from(Index peer, Index begin) const;

    template <class From, class Visit>
    static void visit_runs(From runs, Index count, Visit visit) {
      while (count > 0) {
        const Run run = runs.next(count);
        visit(run);
        count -= run.length;
      }
    }
  };

  /// Returns a factor. The coordinates of a peer along the factors are digits of its number, that of the first
  /// factor being the least.
  const Factor& factor(std::size_t f) const { return factors_[f]; }

 private:
  std::shared_ptr<const std::vector<Overlap>> overlaps_;
  std::vector<Factor> factors_;
};

}  // namespace xredist::core
